import '@parley/page/styles'
import './registry.css'
import { PageFrame } from '@parley/page/theme'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { followAddress } from './address.ts'
import { App } from './app.tsx'
import { loadSettings } from './settings.ts'

const program = { name: 'registry', title: 'Parley Registry' }

followAddress()
void loadSettings()
const root = document.querySelector('#root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <PageFrame program={program}>
        <App />
      </PageFrame>
    </StrictMode>,
  )
}
