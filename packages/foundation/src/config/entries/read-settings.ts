import { revisions } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { optionalText, stringList } from '../files/raw-values.ts'
import type { EntrySettings, OauthSettings, RawObject } from './config-entry.ts'
import type { Report } from './read-entry.ts'

/** Both our way and the inspector's: `era` or `protocolEra`, `timeout` or two of their own. */
export function readSettings(entry: RawObject, report: Report): EntrySettings {
  const era = optionalText(entry['era'] ?? entry['protocolEra'], 'era', report)
  if (era !== undefined && !eras.has(era)) {
    report('error', 'era', `is unknown: ${era}`, `Use ${[...eras].join(', ')}.`)
  }
  const timeout: RawObject = isJsonObject(entry['timeout'])
    ? entry['timeout']
    : { request: entry['timeout'] }
  return {
    era,
    connectMs: milliseconds(
      timeout['connect'] ?? entry['connectionTimeout'],
      'timeout.connect',
      report,
    ),
    requestMs: milliseconds(
      timeout['request'] ?? entry['requestTimeout'],
      'timeout.request',
      report,
    ),
    maxMs: milliseconds(timeout['max'], 'timeout.max', report),
    roots: readRoots(entry['roots'], report),
    tags: stringList(entry['tags'], 'tags', report),
    isDisabled: entry['disabled'] === true || entry['enabled'] === false,
    oauth: readOauth(entry['oauth'], report),
  }
}

const eras = new Set<string>(['auto', 'legacy', 'modern', ...revisions])

function readRoots(value: unknown, report: Report): readonly string[] {
  const uris = Array.isArray(value)
    ? value.map((root: unknown) => (isJsonObject(root) ? root['uri'] : root))
    : value
  return stringList(uris, 'roots', report)
}

function readOauth(value: unknown, report: Report): OauthSettings | undefined {
  if (value === undefined) return undefined
  if (!isJsonObject(value)) {
    report('error', 'oauth', 'must be an object', 'Write "oauth": { "clientId": "…" }.')
    return undefined
  }
  const { scopes, scope } = value
  const words = typeof scope === 'string' ? scope.split(/\s+/).filter(Boolean) : scopes
  return {
    clientId: optionalText(value['clientId'], 'oauth.clientId', report),
    clientSecret: optionalText(value['clientSecret'], 'oauth.clientSecret', report),
    scopes: words === undefined ? undefined : stringList(words, 'oauth.scopes', report),
  }
}

function milliseconds(value: unknown, key: string, report: Report): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && value > 0) return value
  report('error', key, 'is not a number of milliseconds', 'Write a number greater than 0.')
  return undefined
}
