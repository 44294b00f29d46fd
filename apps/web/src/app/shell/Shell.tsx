import { lazy, Suspense, useState } from 'react'
import { Outlet, useLocation, useMatches, useNavigation } from 'react-router'
import { narrow, useMedia } from '../../lib/use-media.ts'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import type { RouteHandle } from '../routes.tsx'
import { MirrorNotice } from './MirrorNotice.tsx'
import { SideNav } from './SideNav.tsx'
import css from './shell.module.css'
import { TopBar } from './TopBar.tsx'
import { useArrival } from './use-arrival.ts'
import { useLinkClicks } from './use-link-clicks.ts'

const NavDrawer = lazy(() => import('./NavDrawer.tsx').then((module) => ({ default: module.NavDrawer })))

export function Shell() {
  const [drawer, setDrawer] = useState(false)
  const isNarrow = useMedia(narrow)
  const { pathname } = useLocation()
  const title = useTitle()
  const moving = useNavigation().state !== 'idle'
  const main = useArrival(pathname, title)
  useLinkClicks()

  return (
    <div className={css['layout']}>
      <a className={css['skip']} href="#main">
        Skip to content
      </a>
      {moving ? <div className={css['moving']} /> : null}
      {isNarrow ? (
        drawer && (
          <Suspense>
            <NavDrawer onClose={() => setDrawer(false)} />
          </Suspense>
        )
      ) : (
        <div className={css['side']}>
          <SideNav />
        </div>
      )}
      <div className={css['column']}>
        <TopBar title={title} onMenu={() => setDrawer(true)} />
        <main id="main" ref={main} tabIndex={-1} className={css['main']}>
          <MirrorNotice />
          <SectionBoundary resetKey={pathname}>
            <Outlet />
          </SectionBoundary>
        </main>
      </div>
      <p className={css['spoken']} role="status">
        {title}
      </p>
    </div>
  )
}

function useTitle(): string {
  const handle = useMatches().at(-1)?.handle as RouteHandle | undefined
  return handle?.title ?? ''
}
