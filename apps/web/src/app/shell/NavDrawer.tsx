import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { Drawer } from '../../ui/Drawer.tsx'
import { SideNav } from './SideNav.tsx'

/** The navigation on narrow screens: slides out, and leaves with the choice of a screen. */
export function NavDrawer({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation()
  const opened = useRef(pathname)
  useEffect(() => {
    if (opened.current !== pathname) onClose()
  }, [pathname, onClose])
  return (
    <Drawer open onClose={onClose} slotProps={{ paper: { sx: { width: 'min(300px, calc(100vw - 48px))' } } }}>
      <SideNav />
    </Drawer>
  )
}
