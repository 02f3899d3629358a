import { freshJson } from './answer.ts'
import type { Operation } from './operation.ts'
import { Problem } from './problem.ts'
import { readJson } from './read-body.ts'

const signIn: Operation = {
  method: 'POST',
  path: 'auth/{method}',
  summary: 'Exchange a proof for a token of this registry',
  effort: 'sign-in',
  isWriting: true,
  isOpen: true,
  async run({ request, parameters }, { authority, bodyBytes }) {
    const { method = '' } = parameters
    if (!knownMethods.includes(method)) {
      throw new Problem(
        404,
        `There is no way to sign in by ${JSON.stringify(method.slice(0, 50))}.`,
      )
    }
    const fields = authority.fieldsOf(method) ?? []
    const body = fields.length === 0 ? {} : await readJson(request, bodyBytes)
    const isObject = typeof body === 'object' && body !== null
    const values = new Map<string, unknown>(isObject ? Object.entries(body) : [])
    const wrong = fields.filter((field) => typeof values.get(field) !== 'string')
    if (wrong.length > 0) {
      throw new Problem(422, `The proof lacks ${wrong.join(', ')}.`, {
        details: wrong.map((field) => ({ message: 'expected a text', location: `body.${field}` })),
      })
    }
    const proof = Object.fromEntries(fields.map((field) => [field, String(values.get(field))]))
    return freshJson(await authority.exchange(method, proof))
  },
}

const knownMethods = ['key', 'dns', 'http', 'github-at', 'github-oidc', 'oidc', 'none']

const health: Operation = {
  method: 'GET',
  path: 'health',
  summary: 'Whether the registry and its database answer',
  effort: 'read',
  isWriting: false,
  isOpen: true,
  async run(_, { database, githubClientId }) {
    await database.queries.selectFrom('registry_clock').select('sequence').execute()
    return freshJson({ status: 'ok', ...(githubClientId && { github_client_id: githubClientId }) })
  },
}

const ping: Operation = {
  method: 'GET',
  path: 'ping',
  summary: 'Whether the registry answers',
  effort: 'read',
  isWriting: false,
  isOpen: true,
  run: async () => freshJson({ pong: true }),
}

const version: Operation = {
  method: 'GET',
  path: 'version',
  summary: 'Which program this is',
  effort: 'read',
  isWriting: false,
  isOpen: true,
  run: async () => freshJson({ version: '0.1.0', git_commit: '', build_time: '' }),
}

/** Signing in, and what operators ask. */
export const otherOperations: readonly Operation[] = [signIn, health, ping, version]
