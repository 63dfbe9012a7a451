"""gettext's compiled catalogues (.mo): read, not written; the PO they are made from has room for notes."""

import gettext
import io
import struct
from collections.abc import Iterator

from evenhand.errors import BadInput
from evenhand.readers.catalogue import Catalogue, Unit, whole
from evenhand.readers.commented import beside, resource
from evenhand.readers.opening import UserFile


def _read(file: UserFile) -> Catalogue:
    try:
        held = gettext.GNUTranslations(io.BytesIO(whole(file)))
    except (OSError, ValueError, LookupError, IndexError, struct.error) as error:
        raise BadInput(f"{file.name}: not a compiled catalogue of gettext ({error})") from error
    return beside(list(_units(held)))


def _units(held: gettext.GNUTranslations) -> Iterator[Unit]:
    """The standard library keeps plural forms under (msgid, form), without the plural's own msgid."""
    texts: dict[str | tuple[str, int], str] = getattr(held, "_catalog")  # noqa: B009
    language = held.info().get("language", "")
    for number, (key, said) in enumerate(texts.items(), start=1):
        name, form = key if isinstance(key, tuple) else (key, None)
        source = name.rpartition("\4")[2]
        called = name.replace("\4", "|") + ("" if form is None else f"[{form}]")
        if name:
            yield Unit(number, called, source, said, "", language, "" if said.strip() else "untranslated")


FORMATS = (resource("mo", (".mo", ".gmo"), _read),)
