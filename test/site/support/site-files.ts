// Where the site under test lies.

/** Separate from the folder of a manual build. */
export const OUT_DIR = 'node_modules/.cache/site-under-test';
/** A page without content. */
export const EMPTY_PAGE = 'empty.html';
