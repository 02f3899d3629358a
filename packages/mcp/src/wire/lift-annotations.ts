import { isJsonObject, type JsonObject } from '../schema/json/json.ts'

/** Some servers put `annotations` inside an embedded resource; they belong on the block (DEC-08). */
export function liftAnnotations(result: object): object {
  const { content } = result as { readonly content?: unknown } // read before it is checked
  if (!Array.isArray(content) || !content.some(isMisplaced)) return result
  return { ...result, content: content.map((block) => (isMisplaced(block) ? lift(block) : block)) }
}

interface MisplacedBlock extends JsonObject {
  readonly resource: JsonObject
}

function isMisplaced(block: unknown): block is MisplacedBlock {
  return (
    isJsonObject(block) &&
    block['type'] === 'resource' &&
    block['annotations'] === undefined &&
    isJsonObject(block['resource']) &&
    isJsonObject(block['resource']['annotations'])
  )
}

function lift(block: MisplacedBlock): JsonObject {
  const { annotations, ...resource } = block.resource
  return { ...block, resource, annotations }
}
