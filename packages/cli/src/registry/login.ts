import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { errorMessage } from '@parley/mcp/json'
import type { RegistryClient } from '@parley/registry/client'

import type { CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'
import { createPrinter, flat } from '../output/printer.ts'
import { keepToken, openRegistryClient, withRegistry, type RegistryFlags } from './connection.ts'
import { signInByDevice, type DeviceCode } from './device-flow.ts'

/** Flags of `parley registry login`. */
export interface LoginFlags extends RegistryFlags {
  readonly domain?: string
  readonly key?: string
  readonly keyFile?: string
  readonly record?: boolean
  readonly printToken?: boolean
}

/** The ways to prove who publishes. */
export const signInWays = ['dns', 'http', 'key', 'github', 'github-oidc', 'anonymous']

/** Proves who the user is, and keeps the token for the next commands. */
export async function login(way: string, flags: LoginFlags, { io }: CommandContext): Promise<void> {
  if (!signInWays.includes(way)) {
    throw new CliError(
      'error',
      `there is no way to sign in by ${way}: use ${signInWays.join(', ')}`,
    )
  }
  const printer = createPrinter(io, flags)
  if (flags.record) {
    const { record } = await readKey(flags, io)
    return printer.isJson ? printer.json({ record }) : printer.line(record)
  }
  const client = await openRegistryClient(flags, io)
  const { method, proof } = await proofOf(way, flags, io, () =>
    githubToken(client, io, ({ userCode, url }) => {
      if (printer.isJson) printer.jsonLine({ event: 'code', userCode, url })
      else printer.note(`open ${flat(url)} and enter the code ${flat(userCode)}`)
    }),
  )
  const token = await withRegistry(() => client.signIn(method, proof))
  const { registry_token: text, expires_at: expiresAt } = token
  if (flags.printToken) {
    return printer.isJson ? printer.json({ token: text, expiresAt }) : printer.line(text)
  }
  await keepToken({ registry: client.url, token: text, expiresAt }, io)
  const until = new Date(expiresAt * 1000).toISOString()
  if (printer.isJson) printer.json({ registry: client.url, expiresAt: until })
  else printer.line(`signed in to ${client.url} until ${until}`)
}

async function proofOf(
  way: string,
  flags: LoginFlags,
  io: Io,
  signInToGithub: () => Promise<string>,
): Promise<{ readonly method: string; readonly proof: object }> {
  const { env } = io
  switch (way) {
    case 'anonymous':
      return { method: 'none', proof: {} }
    case 'github': {
      const token = env['GITHUB_TOKEN'] ?? env['GH_TOKEN'] ?? (await signInToGithub())
      return { method: 'github-at', proof: { github_token: token } }
    }
    case 'github-oidc':
      return { method: way, proof: { oidc_token: await workflowToken(io) } }
    case 'key':
      return {
        method: way,
        proof: { key: needed(flags.key, '--key'), ...(await signNow(flags, io)) },
      }
    default:
      return {
        method: way,
        proof: { domain: needed(flags.domain, '--domain'), ...(await signNow(flags, io)) },
      }
  }
}

/** In a browser, with the client that the registry names. */
async function githubToken(
  client: RegistryClient,
  io: Io,
  show: (code: DeviceCode) => void,
): Promise<string> {
  const { github_client_id: clientId } = await withRegistry(() => client.health())
  if (typeof clientId !== 'string' || clientId === '') {
    throw new CliError('error', 'the variable GITHUB_TOKEN is not set', {
      hint: 'Set it to an access token, for example with GITHUB_TOKEN=$(gh auth token). The registry offers no sign-in in a browser.',
    })
  }
  const baseUrl = io.env['PARLEY_GITHUB_URL'] ?? 'https://github.com'
  return signInByDevice({ clientId, baseUrl, show }, io)
}

async function signNow(flags: LoginFlags, io: Io): Promise<object> {
  const key = await readKey(flags, io)
  const timestamp = new Date().toISOString()
  return { timestamp, signed_timestamp: key.sign(timestamp) }
}

/** From a file or a variable: a key on the command line could be read by everybody on this machine. */
async function readKey({ keyFile }: LoginFlags, io: Io) {
  const { readPublisherKey } = await import('@parley/registry/client')
  const hex =
    keyFile === undefined
      ? io.env['PARLEY_REGISTRY_KEY']
      : await readFile(resolve(io.cwd, keyFile), 'utf8').catch((cause: unknown) => {
          throw new CliError('error', `--key-file ${keyFile} cannot be read`, { cause })
        })
  if (hex === undefined) {
    throw new CliError('error', 'no private key was given', {
      hint: 'Use --key-file FILE or the variable PARLEY_REGISTRY_KEY: 64 or 96 hexadecimal digits, for example from `openssl rand -hex 32`.',
    })
  }
  try {
    return readPublisherKey(hex)
  } catch (error) {
    throw new CliError('error', errorMessage(error))
  }
}

/** Workflows of GitHub ask for their token where the runner says. */
async function workflowToken({ env, signal }: Io): Promise<string> {
  const url = env['ACTIONS_ID_TOKEN_REQUEST_URL']
  const bearer = env['ACTIONS_ID_TOKEN_REQUEST_TOKEN']
  if (url === undefined || bearer === undefined) {
    throw new CliError('error', 'this is not a workflow of GitHub that may ask for a token', {
      hint: 'Add permissions: { id-token: write } to the job.',
    })
  }
  const response = await fetch(`${url}&audience=mcp-registry`, {
    headers: { authorization: `Bearer ${bearer}` },
    signal,
  })
  const { value } = (await response.json()) as { readonly value?: unknown } // checked below
  if (typeof value === 'string') return value
  throw new CliError('error', 'the runner of the workflow gives no token')
}

function needed(value: string | undefined, flag: string): string {
  if (value !== undefined) return value
  throw new CliError('error', `${flag} is missing`)
}
