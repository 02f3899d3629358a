import module from 'node:module'

/** Takes the types out of a source and keeps its lines, enums and namespaces included. */
export type StripTypes = (
  source: string,
  options: { readonly mode: 'transform'; readonly sourceMap: true; readonly sourceUrl: string },
) => string

/** Node's own, where it has one. It is not in the types of Node 20. */
export function stripTypeScriptTypes(): StripTypes | undefined {
  const own: unknown = Reflect.get(module, 'stripTypeScriptTypes')
  return typeof own === 'function' ? (own as StripTypes) : undefined // by its documentation
}
