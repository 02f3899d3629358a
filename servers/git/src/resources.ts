import { isUtf8 } from 'node:buffer'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { ResourceContents } from '@parley/mcp'
import { defineResource, type Context, type Feature } from '@parley/mcp/server'
import { entriesOf, GitError, type Repository } from '@parley/server-kit/git'
import { rankCompletions } from '@parley/server-kit/tools'

import { listed } from './git-tool.ts'
import { plainName } from './patch.ts'
import type { Repositories } from './repositories.ts'

/**
 * Files as they were in a commit: `git://<repository>/<revision>/<path>`, and the top of it without a path. A slash in a
 * revision is written %2F.
 */
export function fileResources(repositories: Repositories): readonly Feature[] {
  const named = (name: string) => repositories.known.find((candidate) => nameOf(candidate) === name)
  const complete = {
    repo: (value: string) => rankCompletions(value, repositories.known.map(nameOf)),
    rev: (value: string, { repo = '' }: { readonly repo?: string }) =>
      revisions(named(repo), value),
  }
  async function read(repo: string, rev: string, path: string, context: Context & { uri: string }) {
    const repository = named(repo) ?? (await amongRoots(repositories, repo, context))
    return repository && readFile(repository, rev, path, context.uri)
  }

  return [
    defineResource(
      'git://{repo}/{rev}/{+path}',
      {
        name: 'git-file',
        title: 'Git File',
        description: 'A file, or the list of a folder, as it was in a branch, tag or commit.',
        complete: {
          ...complete,
          path: (value, { repo = '', rev = 'HEAD' }) => entries(named(repo), rev, value),
        },
      },
      ({ repo, rev, path }, context) => read(repo, rev, path, context),
    ),
    defineResource(
      'git://{repo}/{rev}/',
      {
        name: 'git-top',
        title: 'Git Top Folder',
        description: 'The list of the top folder, as it was in a branch, tag or commit.',
        complete,
      },
      ({ repo, rev }, context) => read(repo, rev, '', context),
    ),
  ]
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
      const { text, isCut } = await repository.run(['ls-tree', '-z', '--name-only', object])
      const names = entriesOf(text).map((name) => `${plainName(name)}\n`)
      return { uri, mimeType: 'text/plain', text: listed(names.join(''), isCut) }
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

async function revisions(repository: Repository | undefined, typed: string) {
  if (!repository) return []
  const format = '--format=%(refname:short)'
  const { text } = await repository.run([
    'for-each-ref',
    format,
    'refs/heads',
    'refs/tags',
    'refs/remotes',
  ])
  return rankCompletions(typed, ['HEAD', ...entriesOf(text, '\n')])
}

async function entries(repository: Repository | undefined, revision: string, start: string) {
  const folder = start.slice(0, start.lastIndexOf('/') + 1)
  const hash = await repository?.findCommit(revision).catch(() => undefined)
  if (!repository || hash === undefined) return []
  const object = `${hash}:${folder.replace(/\/$/, '')}`
  const { text, exitCode } = await repository.run(['ls-tree', '-z', object], { accept: [128] })
  if (exitCode !== 0) return []
  return entriesOf(text).flatMap((entry) => {
    const [, type, name] = /^\d+ (\w+) \w+\t(.+)$/s.exec(entry) ?? []
    const path = `${folder}${name}${type === 'tree' ? '/' : ''}`
    return name !== undefined && path.startsWith(start) ? [path] : []
  })
}
