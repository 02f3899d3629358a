import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import type { CallToolResult } from '@parley/mcp'
import { connect, type Client, type ConnectOptions } from '@parley/mcp/client'

import { createFilesystemServer, type FilesystemOptions } from '../src/filesystem.ts'

/** A folder to work in, with a neighbour nobody may touch. */
export interface Place extends AsyncDisposable {
  readonly root: string
  readonly outside: string
  at(path: string): string
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>
}

export async function createPlace(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<Place> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'parley-files-')))
  const root = join(base, 'root')
  const outside = join(base, 'root_evil')
  await mkdir(root)
  await mkdir(outside)
  await writeFile(join(outside, 'secret.txt'), 'secret')
  const place: Place = {
    root,
    outside,
    at: (path) => join(root, path),
    async write(more) {
      for (const [path, content] of Object.entries(more)) {
        await mkdir(dirname(join(root, path)), { recursive: true })
        await writeFile(join(root, path), content)
      }
    },
    [Symbol.asyncDispose]: () => rm(base, { recursive: true, force: true }),
  }
  await place.write(files)
  return place
}

/** Links of every kind: inside, outside, to nowhere. */
export async function addLinks({ root, outside }: Place): Promise<void> {
  await symlink(join(root, 'a.txt'), join(root, 'link-in'))
  await symlink(join(outside, 'secret.txt'), join(root, 'link-out'))
  await symlink('/nowhere/x', join(root, 'dangling'))
  await symlink(outside, join(root, 'dir-out'))
  await symlink(join(root, 'sub'), join(root, 'dir-in'))
}

/** A client of a server for one place. */
export async function open(
  place: Pick<Place, 'root'>,
  options: Partial<FilesystemOptions> = {},
  client: ConnectOptions = {},
): Promise<Client> {
  const server = await createFilesystemServer({ directories: [place.root], ...options })
  return connect(server, client)
}

/** The one text of a result. */
export function textOf({ content }: CallToolResult): string {
  const [block] = content
  return block?.type === 'text' ? block.text : JSON.stringify(block)
}
