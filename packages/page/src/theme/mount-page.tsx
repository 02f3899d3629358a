import { StrictMode, type ReactElement } from 'react'
import { createRoot } from 'react-dom/client'

import { loadRest } from '../parts/loadable.ts'
import { PageFrame } from './page-frame.tsx'
import type { Program } from './program.ts'

/** Shows a page in `#root` of the template that all programs share, then fetches the parts that are not shown yet. */
export function mountPage(program: Program, page: ReactElement): void {
  const root = document.querySelector('#root')
  if (root === null) return
  createRoot(root).render(
    <StrictMode>
      <PageFrame program={program}>{page}</PageFrame>
    </StrictMode>,
  )
  // What is shown comes first.
  addEventListener('load', () => setTimeout(() => void loadRest(), 300))
}
