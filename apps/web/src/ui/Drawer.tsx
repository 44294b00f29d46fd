import MuiDrawer, { type DrawerProps } from '@mui/material/Drawer'
import { MuiRoot } from '../theme/MuiRoot.tsx'
import { useEscapeFromNowhere } from './use-escape.ts'

/** MUI's drawer in our theme. Load what uses it on first use. */
export function Drawer(props: DrawerProps) {
  const { onClose } = props
  useEscapeFromNowhere(props.open ?? false, (event) => onClose?.(event, 'escapeKeyDown'))
  return (
    <MuiRoot>
      <MuiDrawer {...props} />
    </MuiRoot>
  )
}
