import type { McpError } from '../../rpc/errors/mcp-error.ts'
import { skillLimits } from '../../schema/skills/skill.ts'
import { invalidDefinition } from '../feature.ts'
import { mediaTypeOf, fileUri, rootUri, type SkillSource } from './skill-files.ts'

/** One file and where its contents come from. */
export interface SkillFile {
  readonly uri: string
  /** The last part of its path. */
  readonly name: string
  readonly mimeType: string | undefined
  readonly source: SkillSource
  /** Relative to the skill. */
  readonly path: string
}

/** One skill and all files below it, those of skills inside it too. */
export interface SkillFolder {
  /** The URI of its `SKILL.md`. */
  readonly uri: string
  readonly name: string
  readonly files: readonly SkillFile[]
}

/** Everything that is served, by URI. Contents have not been read. */
export interface Catalogue {
  readonly skills: ReadonlyMap<string, SkillFolder>
  readonly files: ReadonlyMap<string, SkillFile>
  /** The direct children of each folder, in order. */
  readonly folders: ReadonlyMap<string, ReadonlySet<string>>
}

/** The skills that can be served, and the problems of the others. */
export interface CatalogueReading {
  readonly catalogue: Catalogue
  readonly problems: readonly McpError[]
}

/** Builds the catalogue of the sources that can be served. */
export function createCatalogue(sources: readonly SkillSource[]): CatalogueReading {
  const roots = new Map<string, { readonly source: SkillSource; readonly files: SkillFile[] }>()
  const files = new Map<string, SkillFile>()
  const folders = new Map<string, Set<string>>()
  const problems: McpError[] = []

  for (const source of sources) {
    const found = readSource(source)
    const clash = typeof found === 'string' ? found : found.files.map(clashOf).find(isText)
    if (typeof found === 'string' || clash !== undefined) {
      problems.push(problemOf(source, clash ?? ''))
      continue
    }
    roots.set(found.root, { source, files: [] })
    for (const file of found.files) {
      files.set(file.uri, file)
      for (const [folder, child] of stepsTo(file.uri)) {
        const children = folders.get(folder)
        if (children) children.add(child)
        else folders.set(folder, new Set([child]))
      }
    }
  }

  /** A URI is one file or one folder. */
  function clashOf({ uri }: SkillFile): string | undefined {
    if (files.has(uri) || folders.has(uri)) return `${uri} is already there`
    const file = stepsTo(uri).find(([folder]) => files.has(folder))
    return file && `${file[0]} is a file, and a folder for ${uri}`
  }

  for (const file of files.values()) {
    for (const [folder] of stepsTo(file.uri)) roots.get(folder)?.files.push(file)
  }
  const skills = new Map<string, SkillFolder>()
  for (const [root, { source, files: own }] of roots) {
    const [uri, name] = [`${root}/SKILL.md`, root.slice(root.lastIndexOf('/') + 1)]
    if (own.length <= skillLimits.files) skills.set(uri, { uri, name, files: own })
    else problems.push(problemOf(source, tooMany))
  }
  return { catalogue: { skills, files, folders }, problems }
}

const tooMany = `it has more than ${skillLimits.files} files`

/** The files of one source, or what is wrong with it. */
function readSource(
  source: SkillSource,
): { readonly root: string; readonly files: readonly SkillFile[] } | string {
  const root = rootUri(source.path)
  if (root === undefined) {
    return 'a path is parts of letters, digits and . _ ~ - between slashes; the last one, its name, of a-z, 0-9 and single hyphens'
  }
  if (!Object.hasOwn(source.files, 'SKILL.md')) return 'it has no SKILL.md'
  const files: SkillFile[] = []
  const paths = Object.keys(source.files)
  if (paths.length > skillLimits.files) return tooMany
  for (const path of paths) {
    const uri = fileUri(root, path)
    if (uri === undefined) return `${JSON.stringify(path)} is not a path inside the skill`
    const name = path.slice(path.lastIndexOf('/') + 1)
    files.push({ uri, name, mimeType: mediaTypeOf(name), source, path })
  }
  const folder = files.find(({ uri }) => files.some((other) => other.uri.startsWith(`${uri}/`)))
  return folder ? `${folder.uri} is a file and a folder` : { root, files }
}

/** Each folder of a path with its child on that path: `skill://a/b/c` has two. */
function stepsTo(uri: string): readonly (readonly [folder: string, child: string])[] {
  const parts = uri.slice('skill://'.length).split('/')
  return parts.slice(1).map((_, index) => {
    const folder = `skill://${parts.slice(0, index + 1).join('/')}`
    return [folder, `${folder}/${parts[index + 1]}`]
  })
}

function problemOf({ path }: SkillSource, why: string): McpError {
  return invalidDefinition(`skill ${JSON.stringify(path)}`, why)
}

function isText(value: string | undefined): value is string {
  return value !== undefined
}
