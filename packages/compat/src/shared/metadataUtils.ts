import type { BaseMetadata } from '../types.ts'

/** Returns the title, for a tool also that of its annotations, or the name. */
export function getDisplayName(
  metadata: BaseMetadata | (BaseMetadata & { annotations?: { title?: string } }),
): string {
  if (metadata.title !== undefined && metadata.title !== '') return metadata.title
  if ('annotations' in metadata && metadata.annotations?.title) return metadata.annotations.title
  return metadata.name
}
