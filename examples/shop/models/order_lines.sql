-- One row an order and line: what was sold, beside what the order says.
select
    o.order_id,
    i.line_id,
    o.customer_id,
    o.order_date,
    i.quantity * i.unit_price as line_amount,
    o.shipping_fee
from {{ source('shop', 'orders') }} as o
join {{ source('shop', 'order_items') }} as i
    on o.order_id = i.order_id
