/**
 * The anchor of a heading, as GitHub names it: a link to a heading works in the repository and on the site.
 *
 * @param {string} title
 */
export function anchorOf(title) {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}
