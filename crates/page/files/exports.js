// What can be taken away.

export function save(name, media, content) {
  const blob = content instanceof Blob ? content : new Blob([content], { type: media });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** An SVG text as a PNG, twice as fine as the screen. */
export async function png(svg) {
  const picture = new Image();
  picture.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await picture.decode();
  const canvas = document.createElement("canvas");
  // Browsers draw no canvas beyond some 16,000 pixels a side.
  const scale = Math.min(2, 16_000 / picture.width, 16_000 / picture.height);
  canvas.width = Math.ceil(picture.width * scale);
  canvas.height = Math.ceil(picture.height * scale);
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(picture.src);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
