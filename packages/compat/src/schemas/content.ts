/** Content of messages and resources: also what prompts, tools and sampling are made of. */

import { isContent } from '../fast/results.ts'
import { anyRecord } from './base.ts'
import { lazy } from './lazy.ts'
import { BaseMetadataSchema, IconsSchema } from './lifecycle.ts'

const Base64Schema = lazy((z) =>
  z.string().refine(
    (value) => {
      try {
        atob(value)
        return true
      } catch {
        return false
      }
    },
    { message: 'Invalid Base64 string' },
  ),
)

export const RoleSchema = lazy((z) => z.enum(['user', 'assistant']))
export const AnnotationsSchema = lazy((z) =>
  z.object({
    audience: z.array(RoleSchema).optional(),
    priority: z.number().min(0).max(1).optional(),
    lastModified: z.iso.datetime({ offset: true }).optional(),
  }),
)
export const ResourceContentsSchema = lazy((z) =>
  z.object({
    uri: z.string(),
    mimeType: z.optional(z.string()),
    _meta: anyRecord(z).optional(),
  }),
)
export const TextResourceContentsSchema = lazy((z) =>
  ResourceContentsSchema.extend({ text: z.string() }),
)
export const BlobResourceContentsSchema = lazy(() =>
  ResourceContentsSchema.extend({ blob: Base64Schema }),
)
export const ResourceSchema = lazy((z) =>
  z.object({
    ...BaseMetadataSchema.shape,
    ...IconsSchema.shape,
    uri: z.string(),
    description: z.optional(z.string()),
    mimeType: z.optional(z.string()),
    size: z.optional(z.number()),
    annotations: AnnotationsSchema.optional(),
    _meta: z.optional(z.looseObject({})),
  }),
)

export const TextContentSchema = lazy((z) =>
  z.object({
    type: z.literal('text'),
    text: z.string(),
    annotations: AnnotationsSchema.optional(),
    _meta: anyRecord(z).optional(),
  }),
)
export const ImageContentSchema = lazy((z) =>
  z.object({
    type: z.literal('image'),
    data: Base64Schema,
    mimeType: z.string(),
    annotations: AnnotationsSchema.optional(),
    _meta: anyRecord(z).optional(),
  }),
)
export const AudioContentSchema = lazy((z) =>
  z.object({
    type: z.literal('audio'),
    data: Base64Schema,
    mimeType: z.string(),
    annotations: AnnotationsSchema.optional(),
    _meta: anyRecord(z).optional(),
  }),
)
export const ToolUseContentSchema = lazy((z) =>
  z.object({
    type: z.literal('tool_use'),
    name: z.string(),
    id: z.string(),
    input: anyRecord(z),
    _meta: anyRecord(z).optional(),
  }),
)
export const EmbeddedResourceSchema = lazy((z) =>
  z.object({
    type: z.literal('resource'),
    resource: z.union([TextResourceContentsSchema, BlobResourceContentsSchema]),
    annotations: AnnotationsSchema.optional(),
    _meta: anyRecord(z).optional(),
  }),
)
export const ResourceLinkSchema = lazy((z) =>
  ResourceSchema.extend({ type: z.literal('resource_link') }),
)
export const ContentBlockSchema = lazy(
  (z) =>
    z.union([
      TextContentSchema,
      ImageContentSchema,
      AudioContentSchema,
      ResourceLinkSchema,
      EmbeddedResourceSchema,
    ]),
  { accepts: isContent },
)
export const ToolResultContentSchema = lazy((z) =>
  z.object({
    type: z.literal('tool_result'),
    toolUseId: z.string(),
    content: z.array(ContentBlockSchema).default([]),
    structuredContent: z.object({}).loose().optional(),
    isError: z.boolean().optional(),
    _meta: anyRecord(z).optional(),
  }),
)
