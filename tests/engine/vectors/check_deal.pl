#!/usr/bin/env perl
# Recomputes every vector of deal.json from arena/engine/README.md, "Chance, to the byte", alone.
# Usage: perl check_deal.pl FILE. Core modules only.
use strict;
use warnings;
use Digest::SHA qw(sha256 sha256_hex hmac_sha256);
use JSON::PP qw(decode_json);

my @KINDS = qw(D25 D50 D75 D100 D200 RED_LIGHT SPEED_LIMIT OUT_OF_GAS FLAT_TIRE ACCIDENT
    GREEN_LIGHT END_OF_LIMIT GASOLINE SPARE_TIRE REPAIRS
    RIGHT_OF_WAY EXTRA_TANK PUNCTURE_PROOF DRIVING_ACE);
my %COUNTS = (
    classic => [10, 10, 10, 12, 4, 5, 4, 3, 3, 3, 14, 6, 6, 6, 6, 1, 1, 1, 1],
    short   => [10, 10, 10, 12, 4, 4, 3, 2, 2, 2, 14, 6, 6, 6, 6, 1, 1, 1, 1],
    express => [6, 6, 6, 10, 3, 2, 2, 2, 2, 2, 5, 4, 4, 4, 4, 1, 1, 1, 1],
);
my ($passed, $failed) = (0, 0);

sub check { my ($what, $got, $wanted) = @_;
    if ($got eq $wanted) { $passed++ } else { $failed++; print "FAIL $what: $got, not $wanted\n" } }
sub number { pack('NN', 0, shift) }    # a small number as 8 bytes
sub sub_key { my ($seed, $purpose) = @_; hmac_sha256("mille-arena/v1/$purpose", $seed) }
sub block { my ($key, $i) = @_; hmac_sha256(number($i), $key) }
sub words { my ($key, $block, @words) = (shift, 0);
    sub { @words = unpack('N8', block($key, $block++)) unless @words; shift @words } }
sub below { my ($next, $n) = @_;
    my ($limit, $w) = (2**32 - 2**32 % $n, $next->());
    $w = $next->() while $w >= $limit;
    return $w % $n }
sub shuffle { my ($key, @cards) = @_;
    my $next = words($key);
    for my $i (reverse 1 .. $#cards) { my $j = below($next, $i + 1); @cards[$i, $j] = @cards[$j, $i] }
    return @cards }
sub deck { my ($seed, $hand, $deck) = @_;
    shuffle(sub_key($seed, "deck/$hand"), map { ($KINDS[$_]) x $COUNTS{$deck}[$_] } 0 .. 18) }
sub stripes { my ($players, @pile) = @_;
    my @stripes = map { [] } 1 .. $players;
    push @{$stripes[$_ % $players]}, $pile[$_] for 0 .. $#pile;
    return @stripes }
sub check_stripes { my ($what, $wanted, @stripes) = @_;
    check("$what stripe $_", "@{$stripes[$_]}", $wanted->[$_]) for 0 .. $#stripes }
sub draw { my ($seat, @stripes) = @_;
    my $from = $seat;
    if (!@{$stripes[$seat]}) { for my $step (1 .. $#stripes) {
        my $other = ($seat + $step) % @stripes;
        $from = $other if @{$stripes[$other]} > @{$stripes[$from]} } }
    return shift @{$stripes[$from]} }

open(my $file, '<:raw', $ARGV[0]) or die "$ARGV[0]: $!\n";
my $vectors = decode_json(join '', <$file>);
for my $v (@{$vectors->{seeds}}) { my $seed = pack('H*', $v->{seed});
    my $text = $v->{text};
    utf8::encode($text) if defined $text;
    check("seed of $text", sha256_hex("mille-arena/v1/seed/$text"), $v->{seed}) if defined $text;
    check("commitment", sha256_hex($seed), $v->{commitment});
    check($_, unpack('H*', sub_key($seed, $_)), $v->{sub_keys}{$_}) for sort keys %{$v->{sub_keys}};
    my $key = sub_key($seed, $v->{stream}{purpose});
    check("stream", unpack('H*', block($key, 0) . block($key, 1)), $v->{stream}{first_64});
    for my $n (sort keys %{$v->{below}{first_8}}) {
        my $next = words(sub_key($seed, $v->{below}{purpose}));
        check("below($n)", join(' ', map { below($next, $n) } 1 .. 8), $v->{below}{first_8}{$n}) }
    check("deck $_->{hand} $_->{deck}", join(' ', deck($seed, $_->{hand}, $_->{deck})), $_->{cards})
        for @{$v->{decks}} }
for my $v (@{$vectors->{deals}}) { my $seed = pack('H*', $v->{seed});
    my ($n, $size, @hands) = ($v->{players}, $v->{deck} eq 'express' ? 4 : 6);
    my @pile = deck($seed, $v->{hand}, $v->{deck});
    for my $k (1 .. $n * $size) { push @{$hands[($v->{dealer} + $k) % $n]}, shift @pile }
    check("hand size", $size, $v->{hand_size});
    check("hand of seat $_", "@{$hands[$_]}", $v->{hands}[$_]) for 0 .. $n - 1;
    check("draw pile", "@pile", $v->{draw_pile});
    check_stripes("draw pile", $v->{stripes}, my @stripes = stripes($n, @pile));
    my @drawn = map { draw($_, @stripes) } split(' ', $v->{striped_draws}{seats});
    check("striped draws", "@drawn", $v->{striped_draws}{cards});
    for my $r (@{$v->{reshuffles}}) {
        my $key = hmac_sha256(number($r->{number}), sub_key($seed, "reshuffle/$v->{hand}"));
        my @new = shuffle($key, split(' ', $r->{discard_pile}));
        check("reshuffle $r->{number}", "@new", $r->{draw_pile});
        check_stripes("reshuffle", $r->{stripes}, stripes($n, @new)) } }
print "$passed passed, $failed failed\n";
exit($failed || !$passed ? 1 : 0);
