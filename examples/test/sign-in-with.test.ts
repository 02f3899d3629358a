import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { browserAuth, createMemoryTokenStore } from '@parley/auth/client'
import { connect, toolOutput } from '@parley/mcp/client'
import { expect, onTestFinished, test } from 'vitest'

import { findFreePort } from '../../test-support/free-port.ts'
import { openLoggedServer, type Answer, type Seen } from '../../test-support/http-log.ts'
import { serveRepositories } from '../sign-in-with.ts'
import { createVisitor } from './visitor.ts'

const app = { clientId: 'Iv1.example', clientSecret: 'the secret of the app' }

/** GitHub, as far as the example needs it. */
function answer({ path, query, form, headers }: Seen): Answer {
  switch (path) {
    case '/login/oauth/authorize': {
      const back = new URL(query.get('redirect_uri') ?? '')
      back.searchParams.set('code', 'code-1')
      back.searchParams.set('state', query.get('state') ?? '')
      return { status: 302, headers: { location: back.href } }
    }
    case '/login/oauth/access_token':
      return form.get('client_secret') === app.clientSecret && form.get('code') === 'code-1'
        ? { body: { access_token: 'gho_of_ada', token_type: 'bearer', scope: 'repo' } }
        : { body: { error: 'bad_verification_code' } }
    case '/api/v3/user':
      return { body: { id: 7, login: 'ada', name: 'Ada' } }
    case '/api/v3/user/repos':
      return headers.authorization === 'Bearer gho_of_ada'
        ? { body: [{ full_name: 'ada/engine' }, { full_name: 'ada/notes' }] }
        : { status: 401, body: { message: 'Bad credentials' } }
    default:
      return { status: 404, body: {} }
  }
}

test('somebody signs in with GitHub and lists the repositories they have there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'repositories-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await using hub = await openLoggedServer(answer)
  const url = new URL(`http://127.0.0.1:${await findFreePort()}/mcp`)
  const secret = 'a secret that is not in the folder'
  const githubUrl = hub.origin.replace('127.0.0.1', 'localhost') // cookies know hosts, not ports
  const service = await serveRepositories({ url, folder, app, secret, githubUrl })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
  const visitor = createVisitor()
  const open = async ({ href }: URL) => {
    const choice = await visitor.go(href)
    const consent = await visitor.send(choice, { answer: 'with-0' })
    await visitor.send(consent, { answer: 'go-0' })
  }

  await using client = await connect(url, {
    auth: browserAuth({ store: createMemoryTokenStore(), open }),
  })
  const listed = await client.callTool('list_repositories', {})

  expect(toolOutput(listed)).toBe('ada/engine\nada/notes')
  const kept = join(folder, 'sign-ins')
  const files = await Promise.all(
    (await readdir(kept)).map((name) => readFile(join(kept, name), 'utf8')),
  )
  expect(files.join('\n')).not.toContain('gho_of_ada')
})
