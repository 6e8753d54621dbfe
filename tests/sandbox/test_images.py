"""Language images: which are accepted, and what their Dockerfiles promise."""

from __future__ import annotations

import re
from typing import Any

import pytest

from arena.errors import HostFault
from arena.sandbox import imagebases
from arena.sandbox.deployed import deployed
from arena.sandbox.imagebases import Source, public_bases
from arena.sandbox.images import Image, Language, list_images, resolve, tag_of, wrap_digest
from tests.sandbox.imageengine import FakeEngine, image

GO = "mille-arena/go:latest"
EVERY = list(Language)


def refusal(engine: FakeEngine, name: str) -> str:
    with pytest.raises(HostFault) as caught:
        resolve(engine.client, name)
    return str(caught.value)


# -- which are accepted ----------------------------------------------------------------------------


def test_an_image_is_found_by_language_name_and_id() -> None:
    facts = image("go")
    engine = FakeEngine({GO: facts}).client
    found = resolve(engine, "go")
    assert found == Image(
        id=facts["Id"],
        language="go",
        size=facts["Size"],
        wrap=wrap_digest(),
        created=facts["Created"],
    )
    assert resolve(engine, GO) == resolve(engine, "mille-arena/go") == found
    assert resolve(engine, found.id) == found


def test_typescript_shares_the_image_of_javascript() -> None:
    engine = FakeEngine({"mille-arena/javascript:latest": image("javascript")})
    assert resolve(engine.client, "typescript").language == "javascript"
    assert "arena images build javascript" in refusal(FakeEngine(), "typescript")


def test_what_is_not_there_is_named_with_its_remedy() -> None:
    assert refusal(FakeEngine(), "go") == (
        "there is no image for go: build it with `arena images build go`"
    )
    assert refusal(FakeEngine(), "cobol").startswith("there is no image 'cobol': it must be one of")


def test_an_image_with_a_volume_is_refused() -> None:
    engine = FakeEngine({GO: image(Volumes={"/data": {}})})
    assert "declares the volume '/data'" in refusal(engine, "go")


def test_an_image_with_a_build_hook_is_refused() -> None:
    engine = FakeEngine({GO: image(OnBuild=["RUN id"])})
    assert "has the build hook 'RUN id'" in refusal(engine, "go")


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (None, "is missing: make it from an image that `arena images build` has built"),
        (
            {"mille-arena.language": "python", "mille-arena.wrap": "0" * 64},
            "is of another version: build it with `arena images build python`",
        ),
    ],
    ids=["no label", "another version"],
)
def test_an_image_with_another_keeper_is_refused(labels: object, said: str) -> None:
    engine = FakeEngine({"mine:1": image(Labels=labels)})
    assert refusal(engine, "mine:1") == f"the image 'mine:1': its /arena/wrap {said}"


def test_the_list_has_also_what_would_be_refused() -> None:
    old = image("rust", Labels={"mille-arena.language": "rust", "mille-arena.wrap": "0"})
    there = list_images(FakeEngine({GO: image("go"), tag_of("rust"): old}).client)
    assert {language: one.is_current for language, one in there.items()} == {
        Language.GO: True,
        Language.RUST: False,
    }


def test_an_engine_that_hangs_up_is_the_hosts_fault() -> None:
    class Gone(FakeEngine):
        def inspect_image(self, name: str) -> dict[str, Any]:
            raise ConnectionResetError("Connection reset by peer")

    assert re.match(
        r"the Docker engine at \S+ cannot inspect the image .*reset", refusal(Gone(), "go")
    )


# -- their Dockerfiles -----------------------------------------------------------------------------


def dockerfile(language: Language) -> str:
    return deployed(f"images/{language}/Dockerfile").read_text()


@pytest.mark.parametrize("language", EVERY)
def test_public_bases_are_named_by_exact_version(language: Language) -> None:
    bases = public_bases(language)
    assert set(bases) == {"BASE", "WRAP_BASE"}
    for name in bases.values():
        assert re.fullmatch(r"[a-z/-]+:\d+\.\d+(\.\d+\S*|-slim)|\S+@sha256:[0-9a-f]{64}", name)


@pytest.mark.parametrize("language", EVERY)
def test_a_dockerfile_says_what_a_sandbox_needs(language: Language) -> None:
    text = dockerfile(language)
    commands = set(re.findall(r"^([A-Z]+) ", text, flags=re.MULTILINE))
    assert not commands & {"VOLUME", "HEALTHCHECK", "USER", "ONBUILD", "EXPOSE", "ADD"}
    assert f"LABEL mille-arena.language={language} mille-arena.wrap=$WRAP_DIGEST\n" in text
    assert "-perm /6000 -exec chmod a-s {} +" in text
    assert 'ENTRYPOINT ["/arena/wrap"]' in text


def test_the_keeper_is_compiled_in_the_same_way_for_all() -> None:
    stages = {
        re.search(r"^FROM \$\{WRAP_BASE\}.*?\n\n", dockerfile(one), re.M | re.S) for one in EVERY
    }
    assert None not in stages
    assert len({stage[0] for stage in stages if stage}) == 1


@pytest.mark.parametrize("language", EVERY)
def test_a_dockerfile_takes_every_argument_that_debian_gives(language: Language) -> None:
    given = imagebases.arguments(language, Source.DEBIAN)
    declared = set(re.findall(r"^ARG (\w+)", dockerfile(language), flags=re.MULTILINE))
    assert given.keys() <= declared
