/** Text that is HTML already. */
export interface Html {
  readonly html: string
}

type Part = string | number | Html | undefined | false | readonly Html[]

/** Builds HTML from a template; everything put into it is escaped unless it was built this way too. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const rest = parts.map((part, index) => `${write(part)}${texts[index + 1] ?? ''}`)
  return { html: `${texts[0] ?? ''}${rest.join('')}` }
}

function write(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escape(String(part))
  return 'html' in part ? part.html : part.map((item) => item.html).join('')
}

const entities: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}
