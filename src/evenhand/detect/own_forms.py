"""Forms that people labelled (`evenhand review`): a file the user names, or `forms.tsv` in the folder of a run. Nothing
is read that was not named: a form labelled in one run changes another only where its file is given."""

from pathlib import Path

from evenhand.errors import BadInput, listed
from evenhand.notes import Note, NoteKind
from evenhand.storage.atomic import write_text
from evenhand.storage.folders import own_file
from evenhand.tsv import rows

FILE = "forms.tsv"
COLUMNS = ("concept", "female", "male", "neutral", "other", "both")


def given_forms(forms: Path | str | None) -> Path | None:
    """The file as a path; one that is not there, or is no table of forms, is an error."""
    if forms is None:
        return None
    path = Path(forms)
    if not path.is_file():
        raise BadInput(f"{forms}: no such file of forms; `evenhand review RUN --labels SHEET --forms FILE` makes one")
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise BadInput(f"{forms}: not valid UTF-8") from error
    header = next((line.split("\t") for line in lines if line and not line.startswith("#")), [])
    if COLUMNS[0] not in header or not set(header) <= set(COLUMNS):
        raise BadInput(f"{forms}: a file of forms has the columns {', '.join(COLUMNS)}; this one has {listed(header)}")
    return path


def forms_of(folder: Path | None) -> Path | None:
    """The forms that travel in a run's folder, if there are any."""
    path = folder / FILE if folder is not None else None
    return path if path is not None and own_file(path) else None


def keep_in(folder: Path, forms: Path | None) -> None:
    """Put a copy of the forms into a run's folder, so that it can be judged again as it was."""
    if forms is not None and forms.absolute() != (folder / FILE).absolute():
        write_text(folder / FILE, forms.read_text(encoding="utf-8"))


def counted(forms: Path | None) -> tuple[Note, ...]:
    """A note for the output that says how many forms people labelled; none without a file."""
    if forms is None:
        return ()
    cells = [cell for row in rows(forms) for column, cell in row.items() if column != COLUMNS[0]]
    number = sum(bool(form.strip()) for cell in cells for form in cell.split("|"))
    words = "form" if number == 1 else "forms"
    return (Note(f"{number:,} {words} labelled by people", NoteKind.FORMS, number),)
