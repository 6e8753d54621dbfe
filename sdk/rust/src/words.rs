//! Enumerations whose words are numbers on the wire.

use crate::convert::{Newer, Read};

/// A word that is a number on the wire.
pub(crate) trait Word: Sized {
    /// What a number means, if it has a word here.
    fn of(number: i32) -> Option<Self>;
}

/// The word of a number; one that has none is newer than this SDK.
pub(crate) fn word<W: Word>(number: i32) -> Read<W> {
    let kind = std::any::type_name::<W>().rsplit("::").next().unwrap_or_default();
    W::of(number).ok_or_else(|| Newer(format!("no {kind} has the number {number}")))
}

/// Defines an enumeration of words.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$what:meta])* $word:ident = $number:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$what])* $word,)+
        }

        impl crate::words::Word for $name {
            fn of(number: i32) -> Option<Self> {
                match number {
                    $($number => Some(Self::$word),)+
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use words;
