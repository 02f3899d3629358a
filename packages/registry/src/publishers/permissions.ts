/** Something the holder of a token may do. */
export interface Permission {
  readonly action: 'publish' | 'edit' | 'moderate'
  /** A name, a beginning followed by `*`, or `*`. */
  readonly resource: string
}

/** Whether one of the permissions allows one of the actions on a name. */
export function isPermitted(
  permissions: readonly Permission[],
  actions: readonly Permission['action'][],
  name: string,
): boolean {
  return permissions.some(
    ({ action, resource }) => actions.includes(action) && matches(resource, name),
  )
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name
}

/** Whether a permission reaches into a namespace; holders of `*` are asked elsewhere. */
export function covers({ resource }: Permission, namespace: string): boolean {
  if (!resource.endsWith('*')) return resource.startsWith(`${namespace}/`)
  const start = resource.slice(0, -1)
  return start.startsWith(`${namespace}/`) || `${namespace}/`.startsWith(start)
}

/** `example.com` as `com.example`. */
export function reverseDomain(domain: string): string {
  return domain.toLowerCase().split('.').toReversed().join('.')
}
