import '@parley/page/styles'
import './gateway.css'
import { loadRest } from '@parley/page/parts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { App } from './app.tsx'
import { followService } from './store.ts'
import { mirrorAddress } from './view.ts'

followService()
mirrorAddress()

const root = document.querySelector('#root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

// First what is shown, then what may be.
addEventListener('load', () => setTimeout(() => void loadRest(), 300))
