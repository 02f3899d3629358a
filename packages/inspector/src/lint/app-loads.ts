/** Something a page loads or talks to, as far as its text says so. */
export interface AppLoad {
  readonly how: 'script' | 'style' | 'picture' | 'frame' | 'connection' | 'base' | 'form'
  /** As written; what is inside of the page, such as `data:`, is left out. */
  readonly url: string
}

/** Longer pages are looked at up to here. */
const maxCharacters = 2 * 1024 * 1024
const maxLoads = 100
const maxAttributes = 10_000

/** What a page loads by its tags, its styles, and addresses that stand in its scripts. Nothing is run. */
export function findLoads(page: string): readonly AppLoad[] {
  const { tags, scripts, styles } = takeApart(page.slice(0, maxCharacters))
  const found = [
    ...tags.flatMap((tag) => inTag(tag)),
    ...styles.flatMap((style) => inStyle(style)),
    ...scripts.flatMap((script) => inScript(script)),
  ].filter(({ url }) => !/^(?:data:|blob:|about:|javascript:|#|$)/i.test(url))
  const loads = new Map(found.map((load) => [`${load.how} ${load.url}`, load]))
  return [...loads.values()].slice(0, maxLoads)
}

interface Tag {
  readonly name: string
  readonly attributes: string
}

/** Tags, scripts and styles, so that what looks like a tag in a script or a comment is none. Each character is read once. */
function takeApart(html: string) {
  const lower = html.replace(/[A-Z]+/g, (word) => word.toLowerCase()) // of the same length
  const tags: Tag[] = []
  const bodies: { readonly [name: string]: string[] } = { script: [], style: [] }
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) break
    if (html.startsWith('<!--', open)) {
      at = endOf(html, '-->', open + 4)
      continue
    }
    const name = /^[a-z]+/.exec(lower.slice(open + 1, open + 20))?.[0]
    if (name === undefined) {
      at = open + 1
      continue
    }
    at = endOf(html, '>', open)
    const start = open + 1 + name.length
    tags.push({ name, attributes: html.slice(start, Math.min(at - 1, start + maxAttributes)) })
    const body = bodies[name]
    if (body === undefined) continue
    const end = lower.indexOf(`</${name}`, at)
    body.push(html.slice(at, end < 0 ? undefined : end))
    at = end < 0 ? html.length : end
  }
  return { tags, scripts: bodies['script'] ?? [], styles: bodies['style'] ?? [] }
}

/** After the next such mark, or the end. */
function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found + mark.length
}

function inTag({ name, attributes }: Tag): readonly AppLoad[] {
  const value = (attribute: string): string | undefined => valueOf(attributes, attribute)
  const inline = value('style')
  const load = loadOf(name, value)
  return [...(inline === undefined ? [] : inStyle(inline)), ...(load === undefined ? [] : [load])]
}

function loadOf(
  tag: string,
  value: (attribute: string) => string | undefined,
): AppLoad | undefined {
  const of = (how: AppLoad['how'], url: string | undefined): AppLoad | undefined =>
    url === undefined ? undefined : { how, url }
  switch (tag) {
    case 'script':
      return of('script', value('src'))
    case 'link': {
      const rel = value('rel')?.toLowerCase() ?? ''
      if (/\bmodulepreload\b/.test(rel)) return of('script', value('href'))
      return /\b(?:stylesheet|preload|icon)\b/.test(rel) ? of('style', value('href')) : undefined
    }
    case 'img':
    case 'video':
    case 'audio':
    case 'source':
    case 'track':
      return of('picture', value('src'))
    case 'iframe':
    case 'frame':
    case 'embed':
      return of('frame', value('src'))
    case 'base':
      return of('base', value('href'))
    case 'form':
      return of('form', value('action'))
    default:
      return undefined
  }
}

function valueOf(attributes: string, name: string): string | undefined {
  const match = new RegExp(
    `(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`,
    'i',
  ).exec(attributes)
  return match === null ? undefined : (match[1] ?? match[2] ?? match[3])?.trim()
}

function inStyle(text: string): readonly AppLoad[] {
  const urls = [
    ...text.matchAll(/url\(\s*["']?([^"')\s]+)/gi),
    ...text.matchAll(/@import\s+["']([^"']+)/gi),
  ]
  return urls.map(([, url = '']) => ({ how: 'style', url }))
}

/** Only whole addresses: what a script puts together cannot be seen. */
function inScript(text: string): readonly AppLoad[] {
  const connections = text.matchAll(
    /\b(?:fetch|WebSocket|EventSource|sendBeacon|open)\s*\(\s*(?:["'][A-Z]+["']\s*,\s*)?["'`]((?:https?|wss?):\/\/[^"'`\s]+)/g,
  )
  const imports = text.matchAll(
    /(?:\bimport\s*\(\s*|\bfrom\s*|\bimport\s+|\bimportScripts\s*\(\s*)["'](https?:\/\/[^"'\s]+)/g,
  )
  return [
    ...[...connections].map(([, url = '']): AppLoad => ({ how: 'connection', url })),
    ...[...imports].map(([, url = '']): AppLoad => ({ how: 'script', url })),
  ]
}
