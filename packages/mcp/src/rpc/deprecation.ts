/** A feature that 2026-07-28 advises against; it works until a later revision removes it. */
export type DeprecatedFeature = 'roots' | 'sampling' | 'logging'

/** Tells an author that a program uses what will be removed. */
export interface Deprecation {
  /** Which feature, by name. */
  readonly feature: DeprecatedFeature
  /** The first revision that advises against it. */
  readonly since: '2026-07-28'
  /** The alternative, in a sentence for the author. */
  readonly message: string
}

/** Told once for each feature. What it throws, the code gets that used the feature. */
export type OnDeprecated = (deprecation: Deprecation) => void

const fixes: { readonly [feature in DeprecatedFeature]: string } = {
  roots: 'Roots are deprecated: take folders as tool arguments or as settings',
  sampling: 'Sampling is deprecated: call a model provider',
  logging: 'Logging to the client is deprecated: write to standard error, or use OpenTelemetry',
}

/** Features that the process has been warned of. */
const warned = new Set<DeprecatedFeature>()

/** To be told of every use; passes on the first of each feature: to whom it is given, else once in the process. */
export function createDeprecations(
  report: OnDeprecated | undefined,
): (feature: DeprecatedFeature) => void {
  const warnedFeatures = report ? new Set<DeprecatedFeature>() : warned
  return (feature) => {
    if (warnedFeatures.has(feature)) return
    warnedFeatures.add(feature)
    const message = `${fixes[feature]} (MCP 2026-07-28, SEP-2577)`
    ;(report ?? warn)({ feature, since: '2026-07-28', message })
  }
}

/** Warns as Node does, with its flags to silence or trace it. Does nothing in other runtimes. */
function warn({ feature, message }: Deprecation): void {
  const { process }: { readonly process?: Partial<Warner> } = globalThis
  process?.emitWarning?.(message, {
    type: 'DeprecationWarning',
    code: `PARLEY_${feature.toUpperCase()}`,
  })
}

interface Warner {
  emitWarning(message: string, options: { readonly type: string; readonly code: string }): void
}
