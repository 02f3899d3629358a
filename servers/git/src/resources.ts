import { isUtf8 } from 'node:buffer'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { ResourceContents } from '@parley/mcp'
import { defineResource, type Context, type Feature } from '@parley/mcp/server'
import { GitError, type Repository } from '@parley/server-kit/git'

import type { Repositories } from './repositories.ts'

/** Files as they were in a commit: `git://<repository>/<revision>/<path>`. A slash in a revision is written %2F. */
export function fileResources(repositories: Repositories): Feature {
  const named = (name: string) => repositories.known.find((one) => nameOf(one) === name)

  return defineResource(
    'git://{repo}/{rev}/{+path}',
    {
      name: 'git-file',
      title: 'Git File',
      description: 'A file, or the list of a folder, as it was in a branch, tag or commit.',
      complete: {
        repo: (value) => repositories.known.map(nameOf).filter((name) => name.startsWith(value)),
        rev: (value, { repo = '' }) => revisions(named(repo), value),
        path: (value, { repo = '', rev = 'HEAD' }) => entries(named(repo), rev, value),
      },
    },
    async ({ repo, rev, path }, context) => {
      const repository = named(repo) ?? (await amongRoots(repositories, repo, context))
      return repository && readFile(repository, rev, path, context.uri)
    },
  )
}

function nameOf({ workTree }: Repository): string {
  return basename(workTree)
}

/** A root of the client that is a repository of this name. */
async function amongRoots(repositories: Repositories, name: string, context: Context) {
  if (!context.client.capabilities.roots) return undefined
  for (const { uri } of await context.listRoots()) {
    if (!uri.startsWith('file://')) continue
    const repository = await open(repositories, fileURLToPath(uri), context.signal)
    if (repository && nameOf(repository) === name) return repository
  }
  return undefined
}

async function open(repositories: Repositories, path: string, signal: AbortSignal) {
  try {
    return await repositories.open(path, signal)
  } catch {
    return undefined // no repository, or none that may be used
  }
}

async function readFile(
  repository: Repository,
  revision: string,
  path: string,
  uri: string,
): Promise<ResourceContents | undefined> {
  try {
    const hash = await repository.commit(revision)
    const object = `${hash}:${path.replace(/^\/+|\/+$/g, '')}`
    const { text: type } = await repository.run(['cat-file', '-t', object])
    if (type.trim() === 'tree') {
      const { text } = await repository.run(['ls-tree', '--name-only', object])
      return { uri, mimeType: 'text/plain', text }
    }
    const { bytes, isCut } = await repository.run(['cat-file', 'blob', object], {
      outputBytes: 16 * 1024 * 1024,
    })
    if (isCut) throw new Error(`${uri} is larger than 16 MiB`)
    if (isUtf8(bytes) && !bytes.includes(0))
      return { uri, mimeType: 'text/plain', text: bytes.toString() }
    return { uri, mimeType: 'application/octet-stream', blob: bytes.toString('base64') }
  } catch (error) {
    if (error instanceof GitError) return undefined // no such revision or file
    throw error
  }
}

async function revisions(repository: Repository | undefined, start: string) {
  if (!repository) return []
  const format = '--format=%(refname:short)'
  const { text } = await repository.run([
    'for-each-ref',
    format,
    'refs/heads',
    'refs/tags',
    'refs/remotes',
  ])
  return ['HEAD', ...text.split('\n')].filter((name) => name !== '' && name.startsWith(start))
}

async function entries(repository: Repository | undefined, revision: string, start: string) {
  const folder = start.slice(0, start.lastIndexOf('/') + 1)
  const hash = await repository?.findCommit(revision).catch(() => undefined)
  if (!repository || hash === undefined) return []
  const object = `${hash}:${folder.replace(/\/$/, '')}`
  const { text, exitCode } = await repository.run(['ls-tree', '-z', object], { accept: [128] })
  if (exitCode !== 0) return []
  return text.split('\0').flatMap((entry) => {
    const [, type, name] = /^\d+ (\w+) \w+\t(.+)$/s.exec(entry) ?? []
    const path = `${folder}${name}${type === 'tree' ? '/' : ''}`
    return name !== undefined && path.startsWith(start) ? [path] : []
  })
}
