import type { Icon } from '@parley/mcp'

import { tinyPicture } from './tiny-picture.ts'

/** By which people recognise this server, and the tools that only it has. */
export const icons: readonly Icon[] = [
  { src: `data:image/png;base64,${tinyPicture}`, mimeType: 'image/png', sizes: ['20x20'] },
]
