import MuiDrawer, { type DrawerProps } from '@mui/material/Drawer'
import { MuiRoot } from '../theme/MuiRoot.tsx'
import { useMayShow } from './foreground.ts'
import { ToastPlace } from './Toast.tsx'
import { useEscapeFromNowhere } from './use-escape.ts'

/** MUI's drawer in our theme. Load what uses it on first use. */
export function Drawer(props: DrawerProps) {
  const { onClose, children } = props
  const open = useMayShow(props.open ?? false, false)
  useEscapeFromNowhere(open, (event) => onClose?.(event, 'escapeKeyDown'))
  return (
    <MuiRoot>
      <MuiDrawer {...props} open={open}>
        {children}
        <ToastPlace />
      </MuiDrawer>
    </MuiRoot>
  )
}
