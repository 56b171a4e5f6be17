// pA against the share that is right: one circle per bin, as large as it has texts.

function drawCalibration(figure, bins) {
  const size = 320, left = 46, bottom = size - 44, right = size - 22, top = 24;
  const x = (value) => left + value * (right - left);
  const y = (value) => bottom - value * (bottom - top);
  const most = Math.max(...bins.map((bin) => bin.texts));
  const chart = svg('svg', { viewBox: `0 0 ${size} ${size}`, role: 'group', 'aria-label': 'Share of right answers by pA' });
  for (let fifth = 0; fifth <= 5; ++fifth) {
    const value = fifth / 5;
    chart.append(svg('line', { x1: left, x2: right, y1: y(value), y2: y(value), class: fifth ? 'grid' : 'axis' }));
    chart.append(svg('text', { x: left - 6, y: y(value) + 4, 'text-anchor': 'end' }, `${20 * fifth} %`));
    chart.append(svg('text', { x: x(value), y: bottom + 17, 'text-anchor': 'middle' }, value.toFixed(1)));
  }
  chart.append(svg('line', { x1: x(0), y1: y(0), x2: x(1), y2: y(1), class: 'diagonal' }));
  chart.append(svg('text', { x: (left + right) / 2, y: size - 4, 'text-anchor': 'middle' }, 'mean pA of the texts'));
  const tip = el('div', { class: 'tip', hidden: true });
  for (const bin of bins) {
    const said = `pA ${bin.from.toFixed(1)} to ${bin.to.toFixed(1)}: ${bin.right} of ${bin.texts} texts right (${percent(bin.right, bin.texts)}), mean pA ${bin.pa.toFixed(3)}`;
    const circle = svg('circle', {
      cx: x(bin.pa), cy: y(bin.right / bin.texts), r: 4 + 14 * Math.sqrt(bin.texts / most), class: 'bubble', tabindex: 0, role: 'img', 'aria-label': said,
    });
    const show = () => {
      tip.textContent = said;
      tip.hidden = false;
      const scale = chart.getBoundingClientRect().width / size;
      tip.style.left = `${Math.min(x(bin.pa) * scale, Math.max(0, figure.clientWidth - tip.offsetWidth))}px`;
      tip.style.top = `${Math.max(0, y(bin.right / bin.texts) * scale - tip.offsetHeight - 22)}px`;
    };
    const hide = () => { tip.hidden = true; };
    circle.addEventListener('pointerenter', show);
    circle.addEventListener('focus', show);
    circle.addEventListener('pointerleave', hide);
    circle.addEventListener('blur', hide);
    chart.append(circle);
  }
  figure.classList.add('square');
  figure.append(chart, tip);
}
