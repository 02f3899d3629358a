/** Addresses with gaps, as RFC 6570 writes them: finding the gaps, and filling them with texts. */

interface Operator {
  readonly first: string
  readonly separator: string
  readonly isNamed: boolean
  /** Whether an empty value still has its `=`. */
  readonly ifEmpty: string
  readonly retainsReserved: boolean
}

const operators: Readonly<Record<string, Operator>> = {
  '': { first: '', separator: ',', isNamed: false, ifEmpty: '', retainsReserved: false },
  '+': { first: '', separator: ',', isNamed: false, ifEmpty: '', retainsReserved: true },
  '#': { first: '#', separator: ',', isNamed: false, ifEmpty: '', retainsReserved: true },
  '.': { first: '.', separator: '.', isNamed: false, ifEmpty: '', retainsReserved: false },
  '/': { first: '/', separator: '/', isNamed: false, ifEmpty: '', retainsReserved: false },
  ';': { first: ';', separator: ';', isNamed: true, ifEmpty: '', retainsReserved: false },
  '?': { first: '?', separator: '&', isNamed: true, ifEmpty: '=', retainsReserved: false },
  '&': { first: '&', separator: '&', isNamed: true, ifEmpty: '=', retainsReserved: false },
}

const expression = /\{([+#./;?&]?)([^{}]+)\}/g

/** The names of the gaps, each once, in order. */
export function variablesOf(template: string): readonly string[] {
  const names = [...template.matchAll(expression)].flatMap(([, , list = '']) =>
    list.split(',').map((part) => part.replace(/(\*|:\d+)$/, '').trim()),
  )
  return [...new Set(names)]
}

/** The address with the gaps filled; a gap without a value is left out, as the RFC says. */
export function expandTemplate(
  template: string,
  values: { readonly [name: string]: string | undefined },
): string {
  return template.replaceAll(expression, (_, sign: string, list: string) => {
    const operator = operators[sign]
    if (operator === undefined) return ''
    const parts = list.split(',').flatMap((part) => {
      const [, name = '', length] = /^(.*?)(?:\*|:(\d+))?$/.exec(part.trim()) ?? []
      const value = values[name]
      if (value === undefined || value === '') return []
      const cut = length === undefined ? value : Array.from(value).slice(0, Number(length)).join('')
      const encoded = encode(cut, operator.retainsReserved)
      if (!operator.isNamed) return [encoded]
      return [encoded === '' ? `${name}${operator.ifEmpty}` : `${name}=${encoded}`]
    })
    return parts.length === 0 ? '' : operator.first + parts.join(operator.separator)
  })
}

function encode(text: string, retainsReserved: boolean): string {
  const encoded = encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  if (!retainsReserved) return encoded
  return encodeURI(text)
    .replaceAll('%5B', '[')
    .replaceAll('%5D', ']')
    .replaceAll(/%25([\da-f]{2})/gi, '%$1')
}
