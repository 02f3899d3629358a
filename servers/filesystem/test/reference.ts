/** What the reference server lists, without descriptions; recorded from its release 2026.8.31 over stdio. */

/** The output of every tool but one. */
export const textOutput = {
  type: 'object',
  properties: { content: { type: 'string' } },
  required: ['content'],
  additionalProperties: false,
}

export const referenceTools = [
  {
    name: 'read_file',
    title: 'Read File (Deprecated)',
    inputSchema: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
        },
        tail: {
          type: 'number',
        },
        head: {
          type: 'number',
        },
      },
      required: ['path'],
    },
    annotations: {
      readOnlyHint: true,
      openWorldHint: false,
    },
  },
  {
    name: 'read_text_file',
    title: 'Read Text File',
    inputSchema: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
        },
        tail: {
          type: 'number',
        },
        head: {
          type: 'number',
        },
      },
      required: ['path'],
    },
    annotations: {
      readOnlyHint: true,
      openWorldHint: false,
    },
  },
  {
    name: 'read_media_file',
    title: 'Read Media File',
    inputSchema: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
        },
      },
      required: ['path'],
    },
    annotations: {
      readOnlyHint: true,
      openWorldHint: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        content: {
          type: 'array',
          items: {
            anyOf: [
              {
                type: 'object',
                properties: {
                  type: {
                    type: 'string',
                    enum: ['image', 'audio'],
                  },
                  data: {
                    type: 'string',
                  },
                  mimeType: {
                    type: 'string',
                  },
                },
                required: ['type', 'data', 'mimeType'],
                additionalProperties: false,
              },
              {
                type: 'object',
                properties: {
                  type: {
                    type: 'string',
                    const: 'resource',
                  },
                  resource: {
                    type: 'object',
                    properties: {
                      uri: {
                        type: 'string',
                      },
                      mimeType: {
                        type: 'string',
                      },
                      blob: {
                        type: 'string',
                      },
                    },
                    required: ['uri', 'blob'],
                    additionalProperties: false,
                  },
                },
                required: ['type', 'resource'],
                additionalProperties: false,
              },
            ],
          },
        },
      },
      required: ['content'],
      additionalProperties: false,
    },
  },
  {
    name: 'read_multiple_files',
    title: 'Read Multiple Files',
    inputSchema: {
      type: 'object',
      properties: {
        paths: {
          minItems: 1,
          type: 'array',
          items: {
            type: 'string',
          },
        },
      },
      required: ['paths'],
    },
    annotations: {
      readOnlyHint: true,
      openWorldHint: false,
    },
  },
  {
    name: 'write_file',
    title: 'Write File',
    inputSchema: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
        },
        content: {
          type: 'string',
        },
      },
      required: ['path', 'content'],
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  {
    name: 'edit_file',
    title: 'Edit File',
    inputSchema: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
        },
        edits: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              oldText: {
                type: 'string',
              },
              newText: {
                type: 'string',
              },
            },
            required: ['oldText', 'newText'],
          },
        },
        dryRun: {
          default: false,
          type: 'boolean',
        },
      },
      required: ['path', 'edits'],
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    },
  },
  {
    name: 'create_directory',
    title: 'Create Directory',
    inputSchema: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
        },
      },
      required: ['path'],
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  {
    name: 'list_directory',
    title: 'List Directory',
    inputSchema: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
        },
      },
      required: ['path'],
    },
    annotations: {
      readOnlyHint: true,
      openWorldHint: false,
    },
  },
  {
    name: 'list_directory_with_sizes',
    title: 'List Directory with Sizes',
    inputSchema: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
        },
        sortBy: {
          default: 'name',
          type: 'string',
          enum: ['name', 'size'],
        },
      },
      required: ['path'],
    },
    annotations: {
      readOnlyHint: true,
      openWorldHint: false,
    },
  },
  {
    name: 'directory_tree',
    title: 'Directory Tree',
    inputSchema: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
        },
        excludePatterns: {
          default: [],
          type: 'array',
          items: {
            type: 'string',
          },
        },
      },
      required: ['path'],
    },
    annotations: {
      readOnlyHint: true,
      openWorldHint: false,
    },
  },
  {
    name: 'move_file',
    title: 'Move File',
    inputSchema: {
      type: 'object',
      properties: {
        source: {
          type: 'string',
        },
        destination: {
          type: 'string',
        },
      },
      required: ['source', 'destination'],
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    },
  },
  {
    name: 'search_files',
    title: 'Search Files',
    inputSchema: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
        },
        pattern: {
          type: 'string',
        },
        excludePatterns: {
          default: [],
          type: 'array',
          items: {
            type: 'string',
          },
        },
      },
      required: ['path', 'pattern'],
    },
    annotations: {
      readOnlyHint: true,
      openWorldHint: false,
    },
  },
  {
    name: 'get_file_info',
    title: 'Get File Info',
    inputSchema: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
        },
      },
      required: ['path'],
    },
    annotations: {
      readOnlyHint: true,
      openWorldHint: false,
    },
  },
  {
    name: 'list_allowed_directories',
    title: 'List Allowed Directories',
    inputSchema: {
      type: 'object',
      properties: {},
    },
    annotations: {
      readOnlyHint: true,
      openWorldHint: false,
    },
  },
]
