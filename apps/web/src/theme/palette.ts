import type { PaletteOptions } from '@mui/material/styles'

export type Tone = 'error' | 'warning' | 'info' | 'success' | 'neutral'
type Tint = { text: string; background: string }

declare module '@mui/material/styles' {
  interface Palette {
    tint: Record<Tone, Tint>
    field: string
    rowHover: string
  }
  interface PaletteOptions {
    tint: Record<Tone, Tint>
    field: string
    rowHover: string
  }
}

export const lightPalette: PaletteOptions = {
  primary: { main: '#1565c0', dark: '#0d47a1', light: '#5e92f3', contrastText: '#ffffff' },
  secondary: { main: '#c2183c', dark: '#8e0f2a', light: '#f05a72', contrastText: '#ffffff' },
  error: { main: '#c62828', dark: '#8e1c1c', light: '#e57373', contrastText: '#ffffff' },
  warning: { main: '#9a4b00', dark: '#6f3600', light: '#c77700', contrastText: '#ffffff' },
  info: { main: '#01579b', dark: '#003c6c', light: '#4f9bd9', contrastText: '#ffffff' },
  success: { main: '#1b5e20', dark: '#124116', light: '#66a86b', contrastText: '#ffffff' },
  background: { default: '#f5f6f8', paper: '#ffffff' },
  text: { primary: '#1b1f24', secondary: '#5b6570', disabled: '#6f7883' },
  divider: '#e2e5ea',
  tint: {
    error: { text: '#b71c1c', background: '#fdecea' },
    warning: { text: '#8a4300', background: '#fff4e5' },
    info: { text: '#01579b', background: '#e5f3fb' },
    success: { text: '#1b5e20', background: '#e8f5e9' },
    neutral: { text: '#4b545e', background: '#eceff2' },
  },
  field: '#868f99',
  rowHover: '#f5f7fa',
}

export const darkPalette: PaletteOptions = {
  primary: { main: '#90caf9', dark: '#64b5f6', light: '#bbdefb', contrastText: '#0b1a28' },
  secondary: { main: '#ff8a9f', dark: '#f4667f', light: '#ffb3c0', contrastText: '#2b0710' },
  error: { main: '#f48a84', dark: '#e57373', light: '#ffb4ae', contrastText: '#2b0807' },
  warning: { main: '#ffb561', dark: '#f0a04b', light: '#ffb561', contrastText: '#2a1600' },
  info: { main: '#7cc4f5', dark: '#4fa9e2', light: '#b0dcfa', contrastText: '#04202f' },
  success: { main: '#83cc88', dark: '#66a86b', light: '#b0e0b3', contrastText: '#06200a' },
  background: { default: '#111418', paper: '#181c21' },
  text: { primary: '#e7eaee', secondary: '#9aa5b1', disabled: '#828c97' },
  divider: '#2b3138',
  tint: {
    error: { text: '#f7a19b', background: '#332324' },
    warning: { text: '#ffc27d', background: '#342a21' },
    info: { text: '#93cff7', background: '#202e38' },
    success: { text: '#97d69b', background: '#213029' },
    neutral: { text: '#b4bdc7', background: '#262b32' },
  },
  field: '#6b7682',
  rowHover: '#1e2329',
}
