import { encodeBase64 } from '../../schema/json/base64.ts'
import type { Resource, ResourceContents } from '../../schema/resources.ts'
import type { RequestContext } from '../context.ts'
import type { Catalogue, SkillFile } from './catalogue.ts'
import { textOf } from './media-type.ts'
import { orReport } from './report.ts'
import type { SkillFiles } from './skill-files.ts'

/** Every file, as `resources/list` shows it. */
export async function* listResources(
  load: () => Promise<Catalogue>,
  files: SkillFiles,
  context: RequestContext,
): AsyncGenerator<Resource> {
  const catalogue = await load()
  for (const uri of catalogue.files.keys()) {
    const resource = await orReport(resourceOf(uri, catalogue, files), context)
    if (resource) yield resource
  }
}

/** A file or a folder as lists show it; a skill's own file by what the skill says about itself. */
export async function resourceOf(
  uri: string,
  { skills, files }: Catalogue,
  contents: SkillFiles,
): Promise<Resource> {
  const file = files.get(uri)
  const skill = skills.get(uri)
  if (file === undefined) return { uri, name: lastPart(uri), mimeType: 'inode/directory' }
  const { name, mimeType } = file
  const described = skill && (await contents.frontmatter(skill))
  return {
    uri,
    name: described?.name ?? name,
    ...(described && { description: described.description }),
    ...(mimeType !== undefined && { mimeType }),
  }
}

function lastPart(uri: string): string {
  return decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1))
}

/** The contents of a file, as text where it is text. */
export function readContents({ uri, mimeType }: SkillFile, bytes: Uint8Array): ResourceContents {
  const text = textOf(bytes, mimeType)
  return text === undefined
    ? { uri, mimeType: mimeType ?? 'application/octet-stream', blob: encodeBase64(bytes) }
    : { uri, mimeType: mimeType ?? 'text/plain', text }
}
