"""The index file: one plain SQLite database that people open with sqlite3, sqlite-utils and Datasette (SPEC §4).

Schema version history (stands in `meta`; an index of another version is refused and built anew):
1  first release
"""

SCHEMA_VERSION = 1

NORMALIZER_VERSION = 2
"""Version of the forms (`indexer.normalize`, `indexer.forms`) in which pages are stored. 1: first release. 2: dots are
no part of the full stop before them; all fractions, circled figures and `>>` before a figure are written."""

BARRIER = "\n"
"""Parts the segments of a page's forms; folded quotations have none, so no match crosses it."""

APPLICATION_ID = 0x71746978
"""Marks the file as ours ("qtix") in its header, readable even where the rest is damaged: we replace no other file."""

PAGE_SIZE = 4096
"""Bytes of a database page. 8192 and 16384 were no faster for the page check and made the file 6 and 22 % larger."""

TABLES = """
-- What this index was made with. No timestamps: equal inputs give equal content.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,   -- schema_, normalizer_, extractor_ and pymupdf_version, catalogue_sha256, ocr
    value TEXT NOT NULL
) WITHOUT ROWID;

-- One row per entry of the catalogue, also for those that could not be read.
CREATE TABLE programme (
    programm_id TEXT PRIMARY KEY,
    name        TEXT NOT NULL,
    partei      TEXT NOT NULL,
    bundesland  TEXT NOT NULL,     -- 'Bund' = federal
    jahr        INTEGER NOT NULL,
    typ         TEXT NOT NULL,     -- lower case, open list
    datei       TEXT NOT NULL,     -- relative to the PDF folder
    aliases     TEXT NOT NULL,     -- JSON list of further names
    url         TEXT,
    ort         TEXT,              -- local programmes
    wahl        TEXT,
    werk        TEXT NOT NULL,     -- the same for all editions of one programme
    fassung     TEXT NOT NULL,     -- final, entwurf, gekuerzt, ...
    sha256      TEXT,              -- of the PDF that the pages come from; NULL without pages
    reader      TEXT,              -- versions that read it; another one reads it again
    seiten      INTEGER NOT NULL,  -- pages in this index
    status      TEXT NOT NULL CHECK (status IN (
                    'indexed',     -- pages come from the PDF as it is
                    'stale',       -- pages come from an earlier PDF: the present one cannot be read
                    'failed',      -- no pages: the PDF cannot be read
                    'missing'      -- no pages: there is no such PDF
                )),
    reason      TEXT,              -- why it is stale, failed or missing
    hints       TEXT NOT NULL      -- JSON list: repaired, page 3 is damaged, same content as ...
) WITHOUT ROWID;

-- One row per page. What a check reads stands first, so that the raw text is only touched when it is shown.
CREATE TABLE seiten (
    zeile       INTEGER PRIMARY KEY,   -- row number for the two search tables; says nothing by itself
    programm_id TEXT NOT NULL REFERENCES programme (programm_id),
    seite       INTEGER NOT NULL,      -- 1-based position of the page in the PDF
    seitenlabel TEXT,                  -- number printed on the page ('100/101': two printed pages on one)
    no_text     TEXT,                  -- why nothing readable stands here
    ocr         INTEGER NOT NULL,      -- 1: the text was recognised from a picture
    flow_end    INTEGER NOT NULL,      -- characters of `compact` that are running text
    boundaries  BLOB NOT NULL,         -- bit i: a match may begin or end before compact[i]
    compact     TEXT NOT NULL,         -- eye-equal form; running text, then what stands beside it, parted by newlines
    strict      TEXT NOT NULL,         -- readable form in the same order
    text        TEXT NOT NULL,         -- the source's own characters in natural order
    cuts        TEXT NOT NULL,         -- JSON [[start, end, kind], ...]: ranges of `text` that are not running text
    UNIQUE (programm_id, seite)
);

-- Printed numbers of one programme, without a look at its pages (which lie far apart in the file).
CREATE INDEX seiten_seitenlabel ON seiten (programm_id, seite, seitenlabel);

-- Search by words: `sqlite-utils search data/index.db seiten klimaschutz`, and the search box of Datasette.
CREATE VIRTUAL TABLE seiten_fts USING fts5(
    strict, content="seiten", content_rowid="zeile", tokenize="unicode61 remove_diacritics 0"
);

-- Search by any three characters of `compact`, reaching into the next page. Holds no text, only which row has which.
CREATE VIRTUAL TABLE seiten_trigram USING fts5(
    text, content='', tokenize='trigram case_sensitive 1', detail=none, columnsize=0
);

-- On how many pages each trigram stands: the rarest ones of a quotation find it fastest.
CREATE TABLE trigram_df (
    trigram TEXT PRIMARY KEY,
    pages   INTEGER NOT NULL
) WITHOUT ROWID;
"""

VIEWS = """
-- For people with SQL: every page with the name of its programme.
--   SELECT * FROM seiten_lesbar WHERE programm_id = 'gruene-nrw-2022' AND seitenlabel = '58';
CREATE VIEW seiten_lesbar AS
SELECT p.programm_id, p.name, p.partei, p.bundesland, p.jahr, p.fassung,
       s.seite, s.seitenlabel, s.text, s.no_text, s.ocr = 1 AS ocr, p.status = 'stale' AS stale
FROM seiten AS s JOIN programme AS p USING (programm_id)
ORDER BY p.programm_id, s.seite;

-- For people with SQL: which programmes are there, and how much of each can be read.
--   SELECT * FROM programme_lesbar WHERE status <> 'indexed' OR ohne_text > 0;
CREATE VIEW programme_lesbar AS
SELECT p.programm_id, p.name, p.partei, p.bundesland, p.jahr, p.typ, p.fassung, p.datei, p.status, p.reason, p.seiten,
       (SELECT count(*) FROM seiten AS s WHERE s.programm_id = p.programm_id AND s.no_text IS NOT NULL) AS ohne_text
FROM programme AS p
ORDER BY p.programm_id;
"""

_MAGIC = b"SQLite format 3\0"
_APPLICATION_ID_AT = 68  # of the 100 bytes of every SQLite header


def is_index(header: bytes) -> bool:
    """Whether the first 100 bytes of a file are those of an index of ours, of whatever version."""
    marked = header[_APPLICATION_ID_AT : _APPLICATION_ID_AT + 4] == APPLICATION_ID.to_bytes(4, "big")
    return header.startswith(_MAGIC) and marked
