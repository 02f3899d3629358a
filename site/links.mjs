/** Links of our Markdown, which must work in the repository, as the site needs them. */

import { dirname, join, relative } from 'node:path/posix'

/** What stands outside of the site is shown where the sources are. */
export const repository = 'https://github.com/parley-mcp/parley'

/**
 * Comments, which mark tables that tests write, are left out: the site would show them.
 *
 * @param {string} markdown
 * @param {string} page its path in the repository, such as `docs/tools.md`
 * @param {ReadonlyMap<string, string>} pages where each page of the repository is on the site
 */
export function siteLinks(markdown, page, pages) {
  const place = pages.get(page) ?? page
  return outsideCode(markdown, (text) =>
    text
      .replaceAll(/<!--.*?-->\n*/gs, '')
      // READMEs of packages name pages by their whole address, since npm shows them elsewhere.
      .replaceAll(
        new RegExp(`\\]\\(${repository}/blob/main/([^)#\\s]+)`, 'g'),
        (whole, /** @type {string} */ file) =>
          pages.has(file) ? `](${relative(dirname(page), file)}` : whole,
      )
      .replaceAll(/(\]\(|\]: |src=")((?!https?:|mailto:|#)[^)\s"]+)/g, (whole, before, target) => {
        const [path = '', hash] = target.split('#')
        const file = join(dirname(page), path)
        const own = pages.get(file)
        const anchor = hash === undefined ? '' : `#${hash}`
        if (own !== undefined) return before + relativeLink(place, own) + anchor
        return `${before}${repository}/${/\.\w+$/.test(file) ? 'blob' : 'tree'}/main/${file}${anchor}`
      }),
  )
}

/**
 * @param {string} from
 * @param {string} to
 */
function relativeLink(from, to) {
  const path = relative(dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

/**
 * Code blocks and inline code stay as they are.
 *
 * @param {string} markdown
 * @param {(text: string) => string} change
 */
function outsideCode(markdown, change) {
  return markdown
    .split(/(^```[\s\S]*?^```$|`[^`\n]*`)/m)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
}
