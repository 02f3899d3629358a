/**
 * The declaration of a gateway's file: every section and key, with its description, default and where the docs explain it.
 *
 * The reader, the JSON Schema for editors, the table in `docs/gateway-configuration.md` and what a reload applies all come from
 * this one object. What needs other files or other sections to be judged is checked in `load-gateway-config.ts` and beside it.
 */

import { inputSettings, serverSettings } from '@parley/foundation/config'
import { compileGlob, isGlobProblem } from '@parley/foundation/rules'
import {
  amount,
  choice,
  count,
  fitting,
  flag,
  list,
  oneOf,
  port,
  readAs,
  required,
  section,
  setting,
  table,
  text,
  textOrNumber,
  texts,
  type SettingNotes,
} from '@parley/foundation/settings'
import { createTrustedProxies } from '@parley/mcp/address'
import * as v from 'valibot'

import { readBytes } from '../bridge/byte-size.ts'
import { readDuration } from '../bridge/duration.ts'
import { checkSettings } from '../checks/check-settings.ts'
import { namingStrategies } from '../naming/naming.ts'
import type { SearchSettings } from '../search/search-settings.ts'
import { gatewayServerSettings } from './server-declaration.ts'

const address = readAs(
  textOrNumber,
  (value) => {
    const [, host = '127.0.0.1', digits = ''] =
      /^(?:\[?([^\]]+?)\]?:)?(\d{1,5})$/.exec(String(value)) ?? []
    return digits === '' || Number(digits) > 65_535 ? undefined : { host, port: Number(digits) }
  },
  ['is not an address and port: {seen}', 'Write 127.0.0.1:3000 or 3000.'],
)

const proxy = v.pipe(
  text,
  v.check((each) => {
    try {
      createTrustedProxies([each])
      return true
    } catch {
      return false
    }
  }, 'is neither an address nor a range of addresses: {seen}\nWrite 192.0.2.7, 10.0.0.0/8 or fd00::/8.'),
)

const place = section({
  http: setting('Address and port, or a port on loopback.', address, { default: '127.0.0.1:3000' }),
  stdio: setting('Serve over standard input and output instead.', flag, { default: false }),
  path: setting('The path of the endpoint.', text, { default: '/mcp' }),
  url: setting('The public address, which tokens are issued for.', text),
  origins: setting('Origins of web pages that may call.', texts, { default: 'loopback' }),
  trustedProxies: setting('Addresses and ranges of proxies in front of it.', list(proxy), {
    see: 'http.md#options',
  }),
  sse: setting('Serve HTTP+SSE of 2024-11-05 too, at `/sse` below the path.', flag, {
    default: false,
  }),
  ws: setting('Accept WebSockets at the path too.', flag, { default: false }),
  tls: setting(
    'Serve HTTPS.',
    fitting(
      section({
        cert: required('The certificate with its intermediate certificates, as a PEM file.', text, {
          example: 'cert.pem',
        }),
        key: required('The private key, as a PEM file.', text, { example: 'key.pem' }),
        clientCa: setting(
          'The authority that issues certificates of callers, as a PEM file.',
          text,
        ),
        requireClientCert: setting('Reject callers without a certificate.', flag, {
          default: false,
        }),
      }),
      ({ clientCa, requireClientCert }) =>
        requireClientCert === true && clientCa === undefined
          ? {
              at: 'requireClientCert',
              what: 'needs clientCa',
              cure: 'Add clientCa: ca.pem, the authority that issues certificates of callers.',
            }
          : undefined,
    ),
    { see: 'gateway-authentication.md#certificates-of-callers' },
  ),
})

const auth = fitting(
  section({
    keys: setting('A file of API keys.', text, { see: 'gateway-policy.md#api-keys' }),
    jwt: setting(
      'Access tokens of an identity provider.',
      section({
        issuer: required('The issuer of the tokens.', text, { example: '"https://id.example"' }),
        audience: setting('The audience that tokens must have.', text, { default: 'listen.url' }),
        extraAudiences: setting('Further audiences that are accepted.', texts),
        scopes: setting('Scopes that every token must have.', texts),
        clientId: setting('The id of the gateway at the issuer, for sign-ins in a browser.', text),
        clientSecret: setting('The secret that belongs to the id.', text),
      }),
      { see: 'protecting.md' },
    ),
  }),
  ({ keys, jwt }) =>
    (keys === undefined) === (jwt === undefined)
      ? {
          what: 'needs one of keys and jwt',
          cure: 'Write auth: { keys: keys.json } or auth: { jwt: { issuer: "https://…" } }.',
        }
      : undefined,
)

const minSecret = 32

const cluster = fitting(
  section({
    redis: setting('The address of a Redis.', text),
    postgres: setting('The address of a PostgreSQL, instead of a Redis.', text),
    secret: setting('At least 32 random characters, the same at every process.', text),
    secrets: setting('Several, to replace one: the first seals, all open.', texts),
    address: setting('Where the other processes reach this one.', text, { default: 'found out' }),
    lease: setting('A process that is silent for so long counts as lost.', amount(readDuration)),
  }),
  ({ redis, postgres, secret, secrets = [], address: own }) => {
    if ((redis === undefined) === (postgres === undefined)) {
      return { what: 'needs one of redis and postgres', cure: 'Write redis: "redis://…".' }
    }
    const all = [...(secret === undefined ? [] : [secret]), ...secrets]
    const cure = `Write secret: "\${PARLEY_SECRET}", at least ${minSecret} random characters, the same at every process.`
    if (all.length === 0) return { what: 'has no secret', cure }
    if (all.some(({ length }) => length < minSecret)) {
      return { at: 'secret', what: `is shorter than ${minSecret} characters`, cure }
    }
    return own === undefined || /^\[?[^\s\]]+\]?:\d{1,5}$/.test(own)
      ? undefined
      : { at: 'address', what: 'is not an address and port', cure: 'Write 10.0.0.5:7100.' }
  },
)

const searchMode = choice(['auto', 'on', 'off'])
const search = v.pipe(
  oneOf(
    [
      flag, // on and off, as YAML 1.1 reads them
      searchMode,
      section({
        mode: setting('When clients get it: `auto` above a number of tools.', searchMode, {
          default: 'auto',
        }),
        above: setting('That number.', count(0, 999_999), { default: 100 }),
        pinned: setting('Tools that stay listed beside it, by the names that clients use.', texts),
      }),
    ],
    'Use auto, on, off, or { mode, above, pinned }.',
  ),
  v.transform((value): SearchSettings => {
    if (typeof value === 'boolean') return { mode: value ? 'on' : 'off' }
    return typeof value === 'string' ? { mode: value } : { ...value, mode: value.mode ?? 'auto' }
  }),
)
const naming = choice(namingStrategies)
const status = oneOf(
  [
    choice(['own', 'all']),
    section({
      all: required('An expression about the caller.', text, {
        example: `'"operators" in jwt.groups'`,
      }),
    }),
  ],
  `Write {key}: own, {key}: all, or {key}: { all: '"operators" in jwt.groups' }.`,
)
/** Settings of the whole file that a profile may have too. */
const shared = {
  naming: setting('What clients call a tool.', naming, {
    default: 'prefix',
    see: 'gateway.md#names',
  }),
  search: setting('A search instead of a long list of tools.', search, {
    default: 'off',
    see: 'gateway.md#tool-search',
  }),
  status: setting('Which servers `gateway://status` shows a caller.', status, {
    default: 'own',
    see: 'gateway.md#when-a-server-fails',
  }),
}

const toolPattern = v.pipe(
  text,
  v.check(
    (pattern) => !isGlobProblem(compileGlob(pattern)),
    'is not a pattern: {seen}\nWrite git__*, or {git,docs}__*, with a backslash before a sign that is meant as text.',
  ),
)

const profile = section({
  servers: setting('The servers it has.', texts, { default: 'all' }),
  naming: setting('What clients call a tool.', naming, { default: 'as the whole file' }),
  search: setting('A search instead of a long list of tools.', search, {
    default: 'as the whole file',
  }),
  tools: setting(
    'The tools it has, by the names that clients use, as patterns like those of rules.',
    section({
      allow: setting('Only these.', list(toolPattern), { default: 'all' }),
      deny: setting('Not these.', list(toolPattern), { default: 'none' }),
    }),
  ),
  status: setting('Which servers `gateway://status` shows a caller.', status, {
    default: 'as the whole file',
  }),
})

const page = oneOf(
  [
    flag,
    port,
    section({
      port: setting('Its port.', port, { default: 'any that is free' }),
      host: setting('The address it listens on.', text, { default: '127.0.0.1' }),
      allowRemote: setting('Listen on an address that other machines can reach.', flag, {
        default: false,
      }),
      allowedHosts: setting('Names that a proxy in front calls it.', texts),
      record: setting('Record messages also while the dashboard is closed.', flag, {
        default: false,
      }),
      keep: setting('How much is recorded; the oldest messages are dropped.', amount(readBytes), {
        default: '16M',
      }),
    }),
  ],
  'Write true, a port, or { port, host, record, keep }.',
)

const telemetry = oneOf(
  [
    flag,
    section({
      values: setting('Arguments and results of tools too, without secrets.', flag, {
        default: false,
      }),
      metrics: setting('Figures for Prometheus at `/metrics`, instead of OpenTelemetry.', flag, {
        default: false,
      }),
    }),
  ],
  'Write true, or { values: true }, or { metrics: true }.',
)

const servers = table(
  v.looseObject({ ...serverSettings, ...gatewayServerSettings }),
  'NAME: { command: … }',
)

/** Every section that the file of a gateway may have. */
export const gatewaySections = {
  servers: setting('The servers by name: letters, digits, `-` and single `_`.', servers, {
    see: 'configuration.md',
  }),
  mcpServers: setting('The same, as the files of other programs call it.', servers),
  inputs: setting('Questions whose answers servers use as `${input:id}`.', inputSettings, {
    see: 'configuration.md#variables',
  }),
  listen: setting(
    'Where the gateway listens.',
    oneOf(
      [
        place,
        v.pipe(
          list(place, '{ http: 127.0.0.1:3000 }'),
          v.minLength(1, 'is empty\nWrite listen: { http: 127.0.0.1:3000 }.'),
          v.maxLength(
            1,
            'has several places\nKeep one. Profiles are served below its path, such as /mcp/dev.',
          ),
        ),
      ],
      'Write listen: { http: 127.0.0.1:3000 } or listen: { stdio: true }.',
    ),
    { default: '{ http: 127.0.0.1:3000 }', reload: 'start' },
  ),
  auth: setting('How callers are authenticated.', auth, { default: 'everyone, on loopback' }),
  tokens: setting(
    'Where tokens of callers for servers are kept.',
    section({
      folder: setting('The folder.', text, { default: "in Parley's state folder" }),
      passphrase: setting('Seals the tokens.', text, { default: 'a key in that folder' }),
    }),
    { see: 'gateway-authentication.md#signing-in', reload: 'start' },
  ),
  naming: shared.naming,
  search: shared.search,
  profiles: setting(
    'Parts of the gateway, each at its name below the path: letters, digits, `-` and `_`.',
    table(profile, 'NAME: { servers: [] }'),
    { see: 'gateway.md#profiles' },
  ),
  import: setting(
    'Further files whose servers are added. On the same name, this file counts.',
    texts,
  ),
  cluster: setting('Several processes as one gateway.', cluster, {
    default: 'one process',
    see: 'gateway-operations.md#run-a-gateway-on-several-machines',
    reload: 'start',
  }),
  status: shared.status,
  page: setting('The dashboard.', page, { default: false, see: 'gateway-operations.md' }),
  telemetry: setting('Traces and metrics of every call.', telemetry, {
    default: false,
    see: 'telemetry.md#a-gateway',
    reload: 'start',
  }),
  ...checkSettings,
}

/** The whole file. */
export const gatewayFile = section({
  $schema: setting('The JSON Schema of this file, for editors.', text),
  ...gatewaySections,
})

/** The name of a section. */
export type SectionName = keyof typeof gatewaySections

/** Their names. */
export const sectionNames = Object.keys(gatewaySections) as readonly SectionName[] // the keys of the table

/** When a change of each section counts: with the reload that reads it, or with the next start. */
export const sections: ReadonlyMap<string, 'reload' | 'start'> = new Map(
  sectionNames.map((name) => [name, notesOf(name).reload ?? 'reload']),
)

function notesOf(name: SectionName): SettingNotes {
  const optional = gatewaySections[name] as { readonly wrapped: v.GenericSchema } // `setting` makes nothing else
  return v.getMetadata(optional.wrapped)
}

/** What a section says. */
export type SectionValue<Name extends SectionName> = NonNullable<
  v.InferOutput<(typeof gatewaySections)[Name]>
>
