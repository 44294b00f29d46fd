import { lazy, Suspense, useState } from 'react'
import { useLocation, useRoutes } from 'react-router'
import { ImpersonationBanner } from '../../features/impersonation/Banner.tsx'
import { StartFromAddress } from '../../features/impersonation/StartFromAddress.tsx'
import { narrow, useMedia } from '../../lib/use-media.ts'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { useLive } from '../LiveProvider.tsx'
import { preload, routeOf } from '../preload.ts'
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
  const { calm } = useLive()
  const { pathname, search } = useLocation()
  const route = routeOf(pathname)
  const title = route?.tabTitles?.[new URLSearchParams(search).get('tab') ?? ''] ?? route?.title ?? ''
  const screen = useRoutes(route ? [route] : [])
  const main = useArrival(pathname, title)
  const moving = useLinkClicks(preload)

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
        <TopBar onMenu={() => setDrawer(true)} />
        <ImpersonationBanner ready={calm} />
        <main id="main" ref={main} tabIndex={-1} className={css['main']}>
          <MirrorNotice />
          <SectionBoundary resetKey={pathname} onRetry={reloadForCode}>
            {screen}
          </SectionBoundary>
        </main>
        <StartFromAddress />
      </div>
      <p className={css['spoken']} role="status">
        {title}
      </p>
    </div>
  )
}

/** A page whose code could not be loaded stays failed until a new page asks for it. */
function reloadForCode(error: Error): void {
  if (/dynamically imported module|module script|preload CSS/i.test(error.message)) window.location.reload()
}
