/** Skills: instructions with their files, offered by a server and read, checked, by a client. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Client } from '@parley/mcp/client'
import { createServer, type Server } from '@parley/mcp/server'
import { listSkills, readSkillFile, serverSkills, type SkillSource } from '@parley/mcp/skills'

/** Serves every folder below `directory` that has a `SKILL.md`. Files are read when somebody asks for them. */
export async function createSkillServer(directory: string): Promise<Server> {
  const skills = await findSkills(directory)
  return createServer({ name: 'skills', version: '1.0.0', extensions: [serverSkills({ skills })] })
}

async function findSkills(directory: string): Promise<readonly SkillSource[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile()) // links lead elsewhere
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
  const roots = paths.filter((path) => path.endsWith('/SKILL.md')).map((path) => path.slice(0, -9))
  return roots
    .filter((root) => !roots.some((outer) => root.startsWith(`${outer}/`))) // one inside another is part of it
    .map((root) => ({ path: root, files: filesBelow(directory, root, paths) }))
}

function filesBelow(
  directory: string,
  root: string,
  paths: readonly string[],
): SkillSource['files'] {
  const own = paths.filter((path) => path.startsWith(`${root}/`))
  return Object.fromEntries(
    own.map((path) => [path.slice(root.length + 1), () => readFile(join(directory, path))]),
  )
}

/** What a model is told first: which skills there are. No file has been read for it. */
export async function describeSkills(client: Client): Promise<string> {
  const lines: string[] = []
  for await (const { uri, frontmatter } of listSkills(client)) {
    lines.push(`- ${frontmatter.name} (${uri}): ${frontmatter.description}`)
  }
  return lines.join('\n')
}

/** The instructions of one skill, once somebody has agreed to use them. */
export async function loadSkill(client: Client, name: string): Promise<string | undefined> {
  for await (const skill of listSkills(client)) {
    if (skill.frontmatter.name !== name) continue
    return new TextDecoder().decode(await readSkillFile(client, skill, skill.uri))
  }
  return undefined
}
