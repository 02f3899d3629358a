/** `llms.txt`: what there is to read, for models. */

/** @param {ReadonlyMap<string, string>} pages Markdown by its place on the site */
export function llmsText(pages) {
  const lines = [...pages].map(([place, text]) => {
    const title = /^# (.*)$/m.exec(text)?.[1] ?? place
    const about = firstSentence(text)
    return `- [${title}](/${place})${about === '' ? '' : `: ${about}`}`
  })
  return [
    '# Parley',
    '',
    '> The Model Context Protocol in TypeScript: an SDK for servers and clients in all five revisions, an inspector, a command line and reference servers.',
    '',
    '## Pages',
    '',
    ...lines,
    '',
  ].join('\n')
}

/** Of the first paragraph after the title, without links. */
function firstSentence(/** @type {string} */ markdown) {
  const [, paragraph = ''] = markdown.split(/\n\n/)
  if (/^[|`#-]/.test(paragraph)) return ''
  const plain = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\s+/g, ' ')
  return /^.*?[.:](?=\s|$)/.exec(plain)?.[0] ?? plain.slice(0, 160)
}
