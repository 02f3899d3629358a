/** A call, as described to the handler of an input request. */
export interface RunningCall {
  readonly operation: string
  /** The tool or prompt name, or the resource URI. */
  readonly name?: string
}

/** Returns what to show to people about a request. */
export function describeCall(operation: string, params: object | undefined): RunningCall {
  const { name, uri } = (params ?? {}) as { readonly name?: unknown; readonly uri?: unknown } // read, not trusted
  const label = name ?? uri
  return typeof label === 'string' ? { operation, name: label } : { operation }
}
