/** The release's version, as in package.json (a test compares them). */
export const RELEASE = '0.2.0';
