/**
 * The server allows only style elements that carry the nonce of this very page. Mantine takes it from its provider; the part that
 * keeps the page from scrolling behind a dialog asks for the variable that bundlers use.
 */
const nonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? '';

(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce;

export const styleNonce = () => nonce;
