/** What the entry of a server may say in the file of a gateway, besides what every configuration has. */

import {
  amount,
  choice,
  count,
  fitting,
  flag,
  list,
  oneOf,
  readAs,
  required,
  section,
  setting,
  table,
  text,
  texts,
  textTable,
} from '@parley/foundation/settings'
import { isLoopbackHost, parseUrl } from '@parley/mcp/address'
import { isJsonObject, parseJson } from '@parley/mcp/json'
import * as v from 'valibot'

import { readBytes } from '../bridge/byte-size.ts'
import { readDuration } from '../bridge/duration.ts'
import { modelSafeName } from '../naming/naming.ts'

const modes = {
  perSession: 'per-session',
  perUser: 'per-user',
  shared: 'shared',
  'per-session': 'per-session',
  'per-user': 'per-user',
} as const
const modeNames = Object.keys(modes) as readonly (keyof typeof modes)[] // the keys of the table

const rule = section({
  name: setting(
    'Its new name.',
    v.pipe(
      text,
      v.regex(
        modelSafeName,
        'is not a name that models can call: {seen}\nUse letters, digits, _ and -, at most 64.',
      ),
    ),
  ),
  title: setting('Its new title.', text),
  description: setting('Its new description.', text),
  hide: setting('Leaves it out.', flag, { default: false }),
  annotations: setting(
    'Replaces annotations of the same names.',
    table(v.any(), 'readOnlyHint: true'),
  ),
  arguments: setting(
    "Rules for its arguments, by the tool's own names.",
    table(
      section({
        name: setting('Its new name.', text),
        title: setting('Its new title.', text),
        description: setting('Its new description.', text),
        hide: setting('Leaves it out.', flag, { default: false }),
        value: setting('A value that is always sent.', v.any()),
        default: setting('A value that is sent if the caller gives none.', v.any()),
      }),
      'NAME: { hide: true }',
    ),
  ),
  outputSchema: setting('Another schema of its structured results; `false` for none.', v.any()),
})

const limits = section({
  connections: setting('Connections to it at once.', count(1, 9_999_999), { default: 100 }),
  memory: setting('Memory of a child process. A larger one is ended (Linux).', amount(readBytes)),
  message: setting('Its longest message.', amount(readBytes), { default: '64M' }),
  answer: setting('With `openapi`: the longest answer; longer ones are cut.', amount(readBytes), {
    default: '1M',
  }),
  pages: setting('With `openapi`: pages of a list that one call joins.', count(1, 999), {
    default: 1,
  }),
})

const issuer = v.pipe(
  text,
  v.check((value) => {
    const url = parseUrl(value)
    return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
  }, 'is not an https address: {seen}\nWrite https://….'),
)
const at = { example: '"https://…"' }
const issuerSetting = setting('The issuer of tokens.', issuer, {
  default: 'the one the server names',
})
const clientId = required('The id of the gateway at the issuer.', text)
const secret = '"${secret:NAME}"'
const clientSecret = setting('The secret that belongs to the id.', text)
const scopes = setting('The scopes to ask for.', texts, { default: 'those the server names' })
const resource = setting('What the token must be issued for.', text, { default: 'the url' })

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/

const privateKey = readAs(
  v.union(
    [v.string(), v.looseObject({})],
    'is not a private key as a JWK\nWrite key: "${file:key.jwk}".',
  ),
  (value) => {
    const jwk = typeof value === 'string' ? parsedOrUndefined(value) : value
    return isJsonObject(jwk) && typeof jwk['kty'] === 'string' && jwk['d'] !== undefined
      ? { ...jwk, kty: jwk['kty'] }
      : undefined
  },
  ['is not a private key as a JWK', 'Write key: "${file:key.jwk}".'],
)

function parsedOrUndefined(value: string): unknown {
  try {
    return parseJson(value)
  } catch {
    return undefined
  }
}

/** `auth` of a server: how the gateway calls it. */
export const outgoingAuthSettings = v.variant(
  'type',
  [
    fitting(
      section({
        type: required('The same credential for every caller.', v.literal('static')),
        bearer: setting('A bearer token.', text),
        header: setting('The name of a header.', text),
        value: setting('The value of that header.', text),
      }),
      ({ bearer, header, value }) => {
        const isPair = header !== undefined && value !== undefined
        const cure =
          'Write bearer: "${secret:NAME}", or header: X-Api-Key and value: "${secret:NAME}".'
        if (
          (bearer !== undefined) === isPair ||
          (bearer !== undefined && (header ?? value) !== undefined)
        ) {
          return { what: 'needs bearer, or header and value', cure }
        }
        if (header !== undefined && !headerName.test(header)) {
          return {
            at: 'header',
            what: `is not the name of a header: ${header}`,
            cure: 'Write X-Api-Key.',
          }
        }
        return /^[\x20-\x7e]*$/.test(bearer ?? value ?? '')
          ? undefined
          : {
              what: 'has a value that no header can carry',
              cure: 'Use printable ASCII on one line.',
            }
      },
    ),
    fitting(
      section({
        type: required("The gateway's own credential.", v.literal('client-credentials')),
        issuer: issuerSetting,
        clientId,
        clientSecret,
        key: setting('A private key instead of a secret, as a JWK.', privateKey),
        scopes,
      }),
      (value) =>
        (value.clientSecret === undefined) === (value.key === undefined)
          ? {
              what: 'needs one of clientSecret and key',
              cure: 'Write clientSecret: "${secret:NAME}" or key: "${file:key.jwk}".',
            }
          : undefined,
    ),
    section({
      type: required('Each caller signs in to the server once.', v.literal('user')),
      issuer: issuerSetting,
      clientId: setting('The id of the gateway at the issuer.', text, {
        default: 'it registers itself',
      }),
      clientSecret,
      scopes,
    }),
    section({
      type: required(
        "The issuer exchanges each caller's token (RFC 8693).",
        v.literal('token-exchange'),
      ),
      issuer: required("The issuer of the callers' tokens.", issuer, at),
      clientId,
      clientSecret: required('The secret that belongs to the id.', text, { example: secret }),
      resource,
      audience: setting('The name that the issuer has for the server.', text, {
        default: 'resource',
      }),
      scopes,
    }),
    section({
      type: required(
        "The company's identity provider vouches for each caller (ID-JAG).",
        v.literal('id-jag'),
      ),
      idp: required(
        'The identity provider.',
        section({
          issuer: required("The issuer of the callers' tokens.", issuer, at),
          clientId: required('The id of the gateway at the provider.', text),
          clientSecret: setting('The secret that belongs to the id.', text),
        }),
        { example: '{ issuer: "https://…", clientId: "…", clientSecret: "…" }' },
      ),
      issuer: issuerSetting,
      clientId,
      clientSecret,
      scopes,
    }),
    section({
      type: required(
        "The caller's own token, if it was issued for the server too.",
        v.literal('pass-through'),
      ),
      resource,
    }),
  ],
  ({ expected, input }) => {
    const types = 'static, client-credentials, user, token-exchange, id-jag, pass-through'
    if (expected === 'Object') return 'must be an object: {seen}\nWrite {key}: { type: user }.'
    return input === undefined
      ? `has no type\nAdd type: ${types}.`
      : `is unknown: {seen}\nUse ${types}.`
  },
)

const method = choice(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])
const filter = section({
  tags: setting('Operations with one of these tags.', texts),
  paths: setting('Operations at one of these paths; `*` stands for any text.', texts),
  methods: setting(
    'Operations with one of these methods.',
    list(
      v.pipe(v.string('must be a string: {seen}\nPut it in quotes.'), v.toLowerCase(), method),
      'get',
    ),
  ),
  operationIds: setting('Operations with one of these ids.', texts),
  deprecated: setting('Only deprecated operations, or only the others.', flag, { default: 'both' }),
})
const filters = v.pipe(
  oneOf([list(filter), filter], 'Write { tags: ["…"] }, or a list of filters.'),
  v.transform((value) => (Array.isArray(value) ? value : [value])),
)

/** `openapi` and what belongs to it: an HTTP API instead of a server. */
export const openApiSettings = {
  openapi: setting(
    'An OpenAPI document, as a file or address: an HTTP API instead of a server.',
    text,
    {
      see: 'gateway-configuration.md#http-apis',
    },
  ),
  baseUrl: setting('With `openapi`: where requests go.', text, {
    default: "the document's first server",
  }),
  hosts: setting('With `openapi`: other hosts that operations may name.', texts),
  allowPrivate: setting('With `openapi`: lets public names lead to a private network.', flag, {
    default: false,
  }),
  operations: setting(
    'With `openapi`: which operations become tools.',
    section({
      include: setting('One filter or several; one of them must fit.', filters, { default: 'all' }),
      exclude: setting('One filter or several; none of them may fit.', filters, {
        default: 'none',
      }),
      rename: setting('Names by operationId.', textTable),
    }),
    { default: 'all' },
  ),
  credentials: setting(
    "With `openapi`: by the names of the document's security schemes.",
    table(
      oneOf(
        [
          text,
          section({
            username: required('The name of the user.', text),
            password: required('The password.', text, { example: secret }),
          }),
        ],
        'Write a text, or { username, password }.',
      ),
      'SCHEME: "${secret:NAME}"',
    ),
  ),
}

/** All that an entry with `openapi` may say about its API. */
export const openApiFields = {
  ...openApiSettings,
  headers: setting('Headers sent with every request.', textTable),
  auth: setting('`{ type: static, … }`.', v.any()),
  limits: setting('Its limits.', limits),
}

/** What every server of a gateway may have, with values for `GatewayServerSettings`. */
export const commonServerSettings = {
  mode: setting(
    'Who shares a connection.',
    v.pipe(
      choice(modeNames),
      v.transform((name) => modes[name]),
    ),
    { default: 'perSession', see: 'gateway.md#who-shares-a-connection' },
  ),
  startTimeout: setting('How long it may take to start.', amount(readDuration), { default: '30s' }),
  callTimeout: setting('How long it may be silent during a call.', amount(readDuration), {
    default: '300s',
  }),
  limits: setting('Its limits.', limits),
  tools: setting('Rules for single tools.', table(rule, 'TOOL: { name: NEW_NAME }'), {
    see: 'gateway.md#names',
  }),
}

/** All that only a gateway reads. */
export const gatewayServerSettings = {
  ...commonServerSettings,
  auth: setting('The credentials the gateway calls it with.', outgoingAuthSettings, {
    default: 'its headers',
    see: 'gateway-authentication.md',
  }),
  ...openApiSettings,
}
