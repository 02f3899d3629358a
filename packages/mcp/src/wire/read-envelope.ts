import { RpcError } from '../rpc/errors/rpc-error.ts'
import { clientCapabilities, type ClientCapabilities } from '../schema/capabilities.ts'
import { lazy } from '../schema/check-unions.ts'
import * as s from '../schema/check.ts'
import type { JsonObject } from '../schema/json/json.ts'
import { loggingLevel, type LoggingLevel } from '../schema/logging.ts'
import { implementation, type Implementation } from '../schema/metadata.ts'
import { metaKeys, type Envelope } from './envelope.ts'

/** Throws `invalid_params` for an envelope that lacks something, or is none. */
export function readEnvelope(params: JsonObject): Envelope {
  const meta = params['_meta']
  const problem = envelope(meta)
  if (problem !== undefined) {
    const path = ['_meta', ...problem.path]
    throw new RpcError(
      'invalid_params',
      `every request of 2026-07-28 names its revision and capabilities: ${s.describeProblem({ ...problem, path })}`,
    )
  }
  const checked = meta as unknown as CheckedMeta // just checked
  const client = checked[metaKeys.client]
  const logLevel = checked[metaKeys.logLevel]
  return {
    version: checked[metaKeys.version],
    capabilities: checked[metaKeys.capabilities],
    ...(client !== undefined && { client }),
    ...(logLevel !== undefined && { logLevel }),
  }
}

interface CheckedMeta {
  readonly [metaKeys.version]: string
  readonly [metaKeys.capabilities]: ClientCapabilities
  readonly [metaKeys.client]?: Implementation
  readonly [metaKeys.logLevel]?: LoggingLevel
}

/** Built when first used: a bundle without a server then has none of it. */
const envelope = lazy(() =>
  s.object<CheckedMeta>({
    [metaKeys.version]: s.string,
    [metaKeys.capabilities]: clientCapabilities,
    [metaKeys.client]: s.optional(implementation),
    [metaKeys.logLevel]: s.optional(loggingLevel),
  }),
)
