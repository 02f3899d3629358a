import { useRoute } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { h, nextTick, onMounted, watch } from 'vue'

import './style.css'

/** Two pages of the default theme have no landmark for their content: the landing page, and the one for wrong addresses. */
const Layout = {
  setup() {
    const route = useRoute()
    const mark = () =>
      nextTick(() => document.querySelector('.VPHome, .NotFound')?.setAttribute('role', 'main'))
    onMounted(mark)
    watch(() => route.path, mark)
    return () => h(DefaultTheme.Layout)
  },
}

export default { extends: DefaultTheme, Layout }
