import type { Feature } from '@parley/mcp/server'

import type { FileAccess, FileTool } from '../file-tool.ts'
import type { Extra } from '../settings.ts'
import { copyFile, deleteFile } from './copy-delete.ts'
import { findFiles } from './find.ts'
import { grepFiles } from './grep.ts'
import { readByteRange, readLineRange } from './read-parts.ts'
import { fileResources } from './resources.ts'

const tools: Record<Extra, FileTool> = {
  grep_files: grepFiles,
  find_files: findFiles,
  read_lines: readLineRange,
  read_bytes: readByteRange,
  copy_file: copyFile,
  delete_file: deleteFile,
  resources: fileResources,
}

/** What was asked for besides the tools of the reference server. */
export function extraFeatures(enabled: readonly Extra[], access: FileAccess): readonly Feature[] {
  return [...new Set(enabled)].map((name) => tools[name](access))
}
