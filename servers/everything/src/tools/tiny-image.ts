import { image } from '@parley/mcp'
import { defineTool } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { tinyPicture } from '../tiny-picture.ts'

/** Content of several kinds in one answer. */
export const tinyImage = defineTool(
  'get-tiny-image',
  {
    title: 'Get Tiny Image Tool',
    description: 'Shows a picture of 20 by 20 points between two lines of text.',
    inputSchema: z.object({}),
    annotations: toolHints('reads'),
    task: 'never',
  },
  () => [
    "Here's the image you requested:",
    image(tinyPicture, 'image/png'),
    'The image above is the MCP logo.',
  ],
)
