/** As WCAG 2.2 defines it. Scripts as text: they run in the browser, whose types are not ours. */
const luminance = `const luminance = (colour) => {
  const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};`;

/** Of the page itself, from 0 to 1. */
export const luminanceOfGround = `(() => { ${luminance} return luminance(getComputedStyle(document.body).backgroundColor); })()`;

/** Every visible text whose contrast is below 4.5, with its contrast. */
export const faintTexts = `(() => {
  ${luminance}
  const backgroundOf = (element) => {
    const { backgroundColor } = getComputedStyle(element);
    return backgroundColor === 'rgba(0, 0, 0, 0)' ? backgroundOf(element.parentElement) : backgroundColor;
  };
  const hasText = (element) => [...element.childNodes].some((each) => each.nodeType === 3 && each.data.trim() !== '');
  return [...document.querySelectorAll('body *')].filter(hasText).filter((each) => each.checkVisibility()).flatMap((each) => {
    const [text, ground] = [getComputedStyle(each).color, backgroundOf(each)].map(luminance);
    const contrast = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    return contrast < 4.5 ? [each.tagName + ' ' + each.textContent.trim().slice(0, 40) + ' ' + contrast.toFixed(2)] : [];
  });
})()`;
