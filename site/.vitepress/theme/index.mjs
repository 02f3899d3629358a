import { useRoute } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { h, nextTick, onMounted, watch } from 'vue'

import { Landing } from './landing.mjs'

import './style.css'
import './landing.css'

/** Two kinds of pages of the default theme have no landmark for their content: those with a layout of their own, and the one for wrong addresses. */
const Layout = {
  setup() {
    const route = useRoute()
    const mark = () =>
      nextTick(() => document.querySelector('.landing, .NotFound')?.setAttribute('role', 'main'))
    onMounted(mark)
    watch(() => route.path, mark)
    return () => h(DefaultTheme.Layout)
  },
}

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp: ({ app }) => app.component('landing', Landing),
}
