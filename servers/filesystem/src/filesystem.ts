import { createServer, type Server } from '@parley/mcp/server'
import { createTurns } from '@parley/server-kit/files'
import { createRootsJail } from '@parley/server-kit/paths'

import { extraFeatures } from './extras/extras.ts'
import type { FileAccess } from './file-tool.ts'
import { settingsOf, type FilesystemOptions } from './settings.ts'
import { runEditTask } from './task/run-in-thread.ts'
import { editFile } from './tools/edit.ts'
import { getFileInfo, listAllowedDirectories } from './tools/info.ts'
import { listDirectoryWithSizes } from './tools/list-with-sizes.ts'
import { listDirectory } from './tools/list.ts'
import { readMediaFile } from './tools/read-media.ts'
import { readMultipleFiles } from './tools/read-multiple.ts'
import { readFile, readTextFile } from './tools/read-text.ts'
import { searchFiles } from './tools/search.ts'
import { directoryTree } from './tools/tree.ts'
import { createDirectory, moveFile, writeFile } from './tools/write.ts'

export { extras, type Extra, type FilesystemOptions } from './settings.ts'

/** The tools of the reference server, in its order. */
const tools = [
  readFile,
  readTextFile,
  readMediaFile,
  readMultipleFiles,
  writeFile,
  editFile,
  createDirectory,
  listDirectory,
  listDirectoryWithSizes,
  directoryTree,
  moveFile,
  searchFiles,
  getFileInfo,
  listAllowedDirectories,
]

/** Files below allowed directories, and nothing else. */
export async function createFilesystemServer(options: FilesystemOptions): Promise<Server> {
  const access: FileAccess = {
    roots: await createRootsJail(options),
    settings: settingsOf(options),
    inTurn: createTurns(),
    runTask: options.runTask ?? runEditTask,
  }
  const server: Server = createServer({
    name: 'secure-filesystem-server',
    title: 'Filesystem',
    version: '0.2.0',
    description: 'Files below allowed directories, and nothing else',
    onDeprecated: () => undefined, // roots are heeded as long as clients have some
  })
  server.add(...tools.map((make) => make(access)), ...extraFeatures(options.enable ?? [], access))
  return server
}
