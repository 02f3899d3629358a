/** Where something stands in a value: the names and indexes that lead there. */
export type Path = readonly (string | number)[]

/** A path as a JSON pointer, RFC 6901: the empty text is the whole value. */
export function toPointer(path: Path): string {
  return path.map((part) => `/${escape(String(part))}`).join('')
}

/** The parts of a JSON pointer; undefined when it is none. */
export function fromPointer(pointer: string): readonly string[] | undefined {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) return undefined
  return pointer.slice(1).split('/').map(unescape)
}

function escape(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1')
}

function unescape(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
