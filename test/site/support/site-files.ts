// Where the site under test lies.

/** Separate from the folder of a manual build. */
export const OUT_DIR = 'node_modules/.cache/site-under-test';
/** A page without content. It is there once the site is built. */
export const EMPTY_PAGE = 'empty.html';
/** What went wrong with the build, if something did. */
export const BUILD_ERROR = 'build-error.txt';
