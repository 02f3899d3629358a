import { isDeepStrictEqual } from 'node:util'

import { isSecretName, mask } from '@parley/foundation/secrets'
import { createMask } from '@parley/foundation/trace'

import { differencesOf } from '../checks/pinning/differences.ts'
import type { GatewayConfig, LoadedGatewayConfig } from '../config/gateway-config.ts'
import { needingRestart } from '../config/sections.ts'
import type { GatewayDifference } from '../gateway/exchange.ts'
import type { ConfigPreview } from './protocol.ts'

/** Returns the changes that a reload would make. It changes nothing itself. */
export function previewOf(
  running: GatewayConfig,
  { config: next, problems }: LoadedGatewayConfig,
): ConfigPreview {
  const masked = createMask()
  const before = masked(running.operated.document)
  const after = masked(next.operated.document)
  const secrets = differencesOf(running.operated.document, next.operated.document)
  const shown = new Map(differencesOf(before, after).map((each) => [each.path, each]))
  return {
    problems,
    servers: serverDifference(running.servers, next.servers),
    // A secret that was changed is a difference too, only its values are not shown.
    differences: secrets.map(
      ({ path, before: was, after: is }) =>
        shown.get(path) ?? {
          path,
          ...(was !== undefined && { before: mask }),
          ...(is !== undefined && { after: mask }),
        },
    ),
    needRestart: needingRestart(running, next),
  }
}

function serverDifference(
  before: GatewayConfig['servers'],
  after: GatewayConfig['servers'],
): GatewayDifference {
  const names = Object.keys(after)
  return {
    added: names.filter((name) => !Object.hasOwn(before, name)),
    removed: Object.keys(before).filter((name) => !Object.hasOwn(after, name)),
    changed: names.filter(
      (name) => Object.hasOwn(before, name) && !isDeepStrictEqual(before[name], after[name]),
    ),
  }
}

/** `name: value` in YAML and JSON, as far as a line shows it. */
const pair =
  /(["']?)([A-Za-z_][\w.-]*)\1(\s*:\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,{}[\]#"'][^,{}\n#]*)/g
const password = /([a-z][a-z0-9+.-]*:\/\/[^\s:/@"']+:)[^\s@/"']+(@)/gi

/** The text of a configuration without what nobody should read. Variables stay: they are no secrets. */
export function maskConfigText(text: string): string {
  return text
    .replaceAll(password, `$1${mask}$2`)
    .replaceAll(pair, (whole, quote: string, name: string, between: string, value: string) => {
      if (!isSecretName(name) || /^["']?(?:\w+ )?\$\{[^}]+\}["']?$/.test(value.trim())) return whole
      if (/^(?:true|false|null)$/.test(value.trim())) return whole
      return `${quote}${name}${quote}${between}${mask}`
    })
}
