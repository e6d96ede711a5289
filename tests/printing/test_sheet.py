import pypdfium2 as pdfium
import pypdfium2.raw as raw
import pytest

from patrizier.printing.paper import MARGIN, PAPERS, PaperName
from patrizier.printing.sheet import file_name, make
from patrizier.printing.texts import LANGUAGES, Language, texts
from printing.pictures import picture, sheet

EACH = pytest.mark.parametrize(
    ("paper", "language"), [(paper, language) for paper in PAPERS for language in LANGUAGES]
)


@EACH
def test_all_words_fit_and_nothing_leaves_the_page(paper: PaperName, language: Language) -> None:
    """Making a sheet raises when words do not fit their room."""
    size = PAPERS[paper]
    with pdfium.PdfDocument(sheet(paper, language, "all")) as document:
        assert len(document) == 4
        for page in document:
            points = (size.width / 25.4 * 72, size.height / 25.4 * 72)
            assert page.get_size() == pytest.approx(points, abs=0.1)
    for number in range(4):
        seen = picture(paper, language, "all", number, dpi=72)
        edge = int(MARGIN * seen.scale)
        assert seen.inked[edge:-edge, edge:-edge].any()
        assert not seen.inked[:edge].any()
        assert not seen.inked[-edge:].any()
        assert not seen.inked[:, :edge].any()
        assert not seen.inked[:, -edge:].any()


@EACH
def test_fonts_are_embedded_and_words_readable(paper: PaperName, language: Language) -> None:
    with pdfium.PdfDocument(sheet(paper, language, "all")) as document:
        for page in document:
            written = list(page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT]))
            assert written
            for each in written:
                assert each.get_font().is_embedded
                assert each.get_font_size() >= 6
            told = page.get_textpage().get_text_bounded()
            assert texts(language)["sheet.fan"].split(".")[0] in told
            assert not list(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE]))
        told = document[0].get_textpage().get_text_bounded()
        assert texts(language)["messengers.title"] in told
        assert document.get_metadata_dict()["Title"].startswith("Patrizier · ")


def test_the_same_wish_gives_the_same_file() -> None:
    assert make("a4", "de", "messengers") == make("a4", "de", "messengers")


def test_parts_can_be_had_alone() -> None:
    for what in ("messengers", "reference"):
        with pdfium.PdfDocument(sheet("a4", "en", what)) as document:
            assert len(document) == 2
            told = document[0].get_textpage().get_text_bounded()
            assert texts("en")[f"{what}.title"] in told
            assert file_name("a4", "en", what) == f"patrizier-{what}-a4-en.pdf"
